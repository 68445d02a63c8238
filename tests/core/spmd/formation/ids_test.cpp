// Kernels without barriers: each work-item runs once, with its own ids.
#include <gtest/gtest.h>

#include <numeric>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// Writes the number of visits and all ids of a work-item to the record of its linear global id.
constexpr const char *record_ids = R"(
define spir_kernel void @kernel(ptr %args) {
  %out = load ptr, ptr %args
  %x = call i64 @__dpep_global_id(i32 0)
  %y = call i64 @__dpep_global_id(i32 1)
  %z = call i64 @__dpep_global_id(i32 2)
  %nx = call i64 @__dpep_global_size(i32 0)
  %ny = call i64 @__dpep_global_size(i32 1)
  %ox = call i64 @__dpep_global_offset(i32 0)
  %oy = call i64 @__dpep_global_offset(i32 1)
  %oz = call i64 @__dpep_global_offset(i32 2)
  %zz = sub i64 %z, %oz
  %yy = sub i64 %y, %oy
  %xx = sub i64 %x, %ox
  %a = mul i64 %zz, %ny
  %b = add i64 %a, %yy
  %c = mul i64 %b, %nx
  %i = add i64 %c, %xx
  %record = getelementptr [8 x i64], ptr %out, i64 %i
  %visits = load i64, ptr %record
  %more = add i64 %visits, 1
  store i64 %more, ptr %record
  call void @write(ptr %record, i64 1, i64 %x)
  call void @write(ptr %record, i64 2, i64 %y)
  call void @write(ptr %record, i64 3, i64 %z)
  %lx = call i64 @__dpep_local_id(i32 0)
  %gy = call i64 @__dpep_group_id(i32 1)
  %s = call i64 @__dpep_local_size(i32 2)
  %n = call i64 @__dpep_group_count(i32 0)
  call void @write(ptr %record, i64 4, i64 %lx)
  call void @write(ptr %record, i64 5, i64 %gy)
  call void @write(ptr %record, i64 6, i64 %s)
  call void @write(ptr %record, i64 7, i64 %n)
  ret void
}
define internal void @write(ptr %record, i64 %i, i64 %x) {
  %p = getelementptr i64, ptr %record, i64 %i
  store i64 %x, ptr %p
  ret void
}
)";

struct record {
  std::size_t visits = 0, x = 0, y = 0, z = 0, local_x = 0, group_y = 0, local_size_z = 0, groups_x = 0;
};

struct shape {
  std::uint32_t dimensions;
  std::array<std::size_t, 3> global, local, offset;
};

class ids_of_work_items : public testing::TestWithParam<shape> {};

TEST_P(ids_of_work_items, runs_each_work_item_once_with_its_ids) {
  const shape &s = GetParam();
  geometry work = groups_of(s.global, s.local, s.dimensions);
  work.offset = s.offset;
  const bool grouped = s.local[0] != 0;
  const std::array<std::size_t, 3> local = grouped ? s.local : std::array<std::size_t, 3>{1, 1, 1};
  const formed_kernel kernel(record_ids, specialisation_of(work));
  EXPECT_EQ(kernel.needs().grouped, grouped);
  std::vector<record> records(s.global[0] * s.global[1] * s.global[2]);
  void *out = records.data();
  std::size_t units = 1;
  for (int d = 0; d < 3; ++d) units *= s.global[d] / local[d];
  const std::size_t step = units / 3 + 1;  // spans that begin and end within rows
  for (std::size_t begin = 0; begin < units; begin += step)
    kernel.run(work, &out, begin, std::min(begin + step, units));
  kernel.run(work, &out, units / 2, units / 2);  // an empty span

  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t x = i % s.global[0], y = i / s.global[0] % s.global[1], z = i / s.global[0] / s.global[1];
    const record &r = records[i];
    ASSERT_EQ(r.visits, 1u) << i;
    ASSERT_EQ(r.x, x + s.offset[0]) << i;
    ASSERT_EQ(r.y, y + s.offset[1]) << i;
    ASSERT_EQ(r.z, z + s.offset[2]) << i;
    ASSERT_EQ(r.local_x, x % local[0]) << i;
    ASSERT_EQ(r.group_y, y / local[1]) << i;
    ASSERT_EQ(r.local_size_z, local[2]) << i;
    ASSERT_EQ(r.groups_x, s.global[0] / local[0]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(flat, ids_of_work_items,
                         testing::Values(shape{1, {1, 1, 1}, {}, {}}, shape{1, {1000, 1, 1}, {}, {5, 0, 0}},
                                         shape{2, {7, 11, 1}, {}, {}}, shape{2, {1, 9, 1}, {}, {3, 4, 0}},
                                         shape{3, {5, 3, 4}, {}, {1, 2, 3}}, shape{3, {2, 1, 6}, {}, {}}));
INSTANTIATE_TEST_SUITE_P(grouped, ids_of_work_items,
                         testing::Values(shape{1, {64, 1, 1}, {16, 1, 1}, {}},
                                         shape{1, {6, 1, 1}, {1, 1, 1}, {7, 0, 0}},
                                         shape{2, {8, 6, 1}, {4, 2, 1}, {1, 2, 0}}, shape{2, {3, 4, 1}, {1, 4, 1}, {}},
                                         shape{3, {4, 6, 8}, {2, 3, 4}, {1, 2, 3}}));

TEST(parallel_loop, keeps_the_order_of_accesses_within_a_work_item) {
  // Of four neighbouring elements that are stored, one is loaded in between. In a loop marked parallel, LLVM's
  // vectoriser would store the four together at the end.
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %a.which = getelementptr ptr, ptr %arguments, i64 1
  %all = load ptr, ptr %a.which
  %i = call i64 @__dpep_global_id(i32 0)
  %o0 = getelementptr [4 x i32], ptr %out, i64 %i
  %o1 = getelementptr i32, ptr %o0, i64 1
  %o2 = getelementptr i32, ptr %o0, i64 2
  %o3 = getelementptr i32, ptr %o0, i64 3
  %p = getelementptr i32, ptr %all, i64 %i
  %which = load i32, ptr %p
  %some = getelementptr i32, ptr %o0, i32 %which
  store i32 10, ptr %o0
  store i32 11, ptr %o1
  store i32 12, ptr %o2
  %x = load i32, ptr %some
  store i32 %x, ptr %o3
  ret void
}
)";
  const geometry work = range_of(64);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::array<int, 4>> out(64);
  std::vector<int> which(64);
  for (int i = 0; i < 64; ++i) which[i] = i % 3;
  const void *arguments[] = {out.data(), which.data()};
  kernel.run(work, arguments);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[i], (std::array{10, 11, 12, 10 + i % 3})) << i;
}

TEST(parallel_loop, interleaves_neighbouring_accesses_of_a_work_item) {
  const std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %in = load ptr, ptr %arguments
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr [2 x float], ptr %in, i64 %i
  %q = getelementptr float, ptr %p, i64 1
  %x = load float, ptr %p
  %y = load float, ptr %q
  %re = fmul float %x, %x
  %im = fadd float %y, %x
  %o = getelementptr [2 x float], ptr %out, i64 %i
  %o1 = getelementptr float, ptr %o, i64 1
  store float %re, ptr %o
  store float %im, ptr %o1
  ret void
}
)";
  const formed_kernel kernel(text, specialisation_of({}));
  EXPECT_GT(kernel.report().vector_width, 1u);
  EXPECT_FALSE(contains(kernel.optimised(), "gather")) << kernel.optimised();
  EXPECT_FALSE(contains(kernel.optimised(), "scatter")) << kernel.optimised();
}

}  // namespace
}  // namespace dpep::test
