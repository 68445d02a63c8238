// The order of the loops over work-items: the innermost one is along the dimension of neighbouring elements.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[(c * ny + b) * nx + a] += in[...] + 1 at the same place, where a, b and c are the ids of dimensions A, B and C.
std::string increments(int a, int b, int c) {
  std::string text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr i64, ptr %arguments, i64 1
  %a.nx = getelementptr i64, ptr %arguments, i64 2
  %a.ny = getelementptr i64, ptr %arguments, i64 3
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %nx = load i64, ptr %a.nx
  %ny = load i64, ptr %a.ny
  %a = call i64 @__dpep_global_id(i32 A)
  %b = call i64 @__dpep_global_id(i32 B)
  %c = call i64 @__dpep_global_id(i32 C)
  %plane = mul nsw i64 %c, %ny
  %row = add nsw i64 %plane, %b
  %first = mul nsw i64 %row, %nx
  %at = add nsw i64 %first, %a
  %p = getelementptr float, ptr %in, i64 %at
  %q = getelementptr float, ptr %out, i64 %at
  %x = load float, ptr %p
  %old = load float, ptr %q
  %sum = fadd float %x, %old
  %new = fadd float %sum, 1.0
  store float %new, ptr %q
  ret void
}
)";
  text = replaced(text, "i32 A", "i32 " + std::to_string(a));
  text = replaced(text, "i32 B", "i32 " + std::to_string(b));
  return replaced(text, "i32 C", "i32 " + std::to_string(c));
}

/// Runs the kernel, in spans of `span` units, and compares with a loop. `sizes`: of dimensions A, B and C.
void check(const formed_kernel &kernel, const geometry &work, std::size_t units, std::array<std::size_t, 3> sizes,
           std::size_t span) {
  const auto [nx, ny, nz] = sizes;
  std::vector<float> in(nx * ny * nz), out(in.size(), 2), wanted(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i % 251);
    wanted[i] = in[i] + 3;
  }
  const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(nx),
                             reinterpret_cast<const void *>(ny)};
  for (std::size_t begin = 0; begin < units; begin += span)
    kernel.run(work, arguments, begin, std::min(begin + span, units));
  EXPECT_EQ(out, wanted);
}

TEST(axis_order, of_ranges) {
  for (const auto &order : std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0}})
    for (const std::array<std::size_t, 3> &sizes :
         std::vector<std::array<std::size_t, 3>>{{37, 5, 3}, {16, 1, 1}, {1, 7, 20}, {100, 9, 1}, {8200, 3, 1}}) {
      std::array<std::size_t, 3> global{};
      for (std::size_t d = 0; d < 3; ++d) global[order[d]] = sizes[d];
      const geometry work = groups_of(global, {0, 0, 0}, 3);
      const formed_kernel kernel(increments(order[0], order[1], order[2]), specialisation_of(work));
      EXPECT_FALSE(contains(kernel.optimised(), "masked.scatter")) << order[0] << order[1] << order[2];
      const std::size_t units = sizes[0] * sizes[1] * sizes[2];
      for (const std::size_t span : {units, std::size_t{7}, std::size_t{129}}) check(kernel, work, units, sizes, span);
    }
}

TEST(axis_order, of_work_groups) {
  for (const auto &order : std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {1, 2, 0}}) {
    const std::array<std::size_t, 3> sizes{48, 6, 9}, groups{16, 2, 3};
    std::array<std::size_t, 3> global{}, local{};
    for (std::size_t d = 0; d < 3; ++d) {
      global[order[d]] = sizes[d];
      local[order[d]] = groups[d];
    }
    const geometry work = groups_of(global, local, 3);
    const formed_kernel kernel(increments(order[0], order[1], order[2]), specialisation_of(work));
    if (local[0] >= 8 || local[0] == groups[0]) EXPECT_FALSE(contains(kernel.optimised(), "masked.scatter"));
    const std::size_t units = 3 * 3 * 3;
    for (const std::size_t span : {units, std::size_t{2}}) check(kernel, work, units, sizes, span);
  }
}

TEST(axis_order, of_work_groups_of_two_long_dimensions) {
  const geometry work = groups_of({64, 32, 1}, {16, 16, 1}, 2);
  const formed_kernel kernel(increments(1, 0, 2), specialisation_of(work));
  EXPECT_FALSE(contains(kernel.optimised(), "masked.scatter"));
  check(kernel, work, 8, {32, 64, 1}, 3);
}

// Rows of a few elements are loaded as whole vectors and shuffled, whichever dimension is the first.
TEST(axis_order, is_the_usual_one_for_short_rows) {
  const std::string text = replaced(replaced(increments(1, 0, 2), "%row, %nx", "%row, 3"), "%c, %ny", "%c, 0");
  const geometry work = groups_of({100, 3, 1}, {0, 0, 0}, 2);
  const formed_kernel kernel(text, specialisation_of(work));
  EXPECT_GT(kernel.report().vector_width, 1U) << kernel.report().remarks;
  EXPECT_TRUE(contains(kernel.optimised(), "shufflevector"));
  check(kernel, work, 300, {3, 100, 1}, 300);
}

// Barriers need the usual order: each work-item of a group of two dimensions reads what its successor has written.
TEST(axis_order, is_the_usual_one_with_barriers) {
  constexpr const char *text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %out = load ptr, ptr %arguments
  %local = call ptr @__dpep_local_memory()
  %x = call i64 @__dpep_local_id(i32 1)
  %y = call i64 @__dpep_local_id(i32 0)
  %row = mul nsw i64 %y, 16
  %at = add nsw i64 %row, %x
  %p = getelementptr i32, ptr %local, i64 %at
  %value = trunc i64 %at to i32
  store i32 %value, ptr %p
  call void @__dpep_group_barrier()
  %next = add i64 %at, 1
  %wrapped = and i64 %next, 255
  %q = getelementptr i32, ptr %local, i64 %wrapped
  %of.next = load i32, ptr %q
  %target = getelementptr i32, ptr %out, i64 %at
  store i32 %of.next, ptr %target
  ret void
}
)";
  const geometry work = groups_of({16, 16, 1}, {16, 16, 1}, 2);
  const formed_kernel kernel(text, specialisation_of(work));
  std::vector<std::uint32_t> out(256), wanted(256);
  for (std::uint32_t i = 0; i < 256; ++i) wanted[i] = (i + 1) & 255;
  const void *arguments[] = {out.data()};
  kernel.run(work, arguments, 256 * sizeof(std::uint32_t));
  EXPECT_EQ(out, wanted);
}

}  // namespace
}  // namespace dpep::test
