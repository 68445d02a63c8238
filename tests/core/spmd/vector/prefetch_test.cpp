// Prefetches of memory that the next work-group, or the next iteration of a group's loop, will access.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr std::size_t size = 128, groups = 5;

// out[OUT] = in[IN of another work-item], through local memory.
std::string through_local_memory(const std::string &in, const std::string &out, bool barrier) {
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %local = call ptr @__dpep_local_memory()
  %i = call i64 @__dpep_global_id(i32 0)
  %me = call i64 @__dpep_local_id(i32 0)
  %group = call i64 @__dpep_group_id(i32 0)
  %turned = mul i64 %group, -128
  %backwards = add i64 %turned, %me
  %p = getelementptr float, ptr %in, i64 )" +
         in + R"(
  %q = getelementptr float, ptr %out, i64 )" +
         out + R"(
  %mine = getelementptr float, ptr %local, i64 %me
  %x = load float, ptr %p
  store float %x, ptr %mine
)" + (barrier ? "  call void @__dpep_group_barrier()\n" : "") +
         R"(
  %left = sub i64 127, %me
  %other = getelementptr float, ptr %local, i64 %left
  %y = load float, ptr %other
  store float %y, ptr %q
  ret void
}
)";
}

formed_kernel formed(const std::string &text) {
  return formed_kernel(text, specialisation_of(groups_of({groups * size, 1, 1}, {size, 1, 1}, 1)));
}

// Prefetches for reading (0) or writing (1), declaration aside.
std::size_t prefetches(const formed_kernel &kernel, bool write) {
  return occurrences(kernel.optimised(), write ? ", i32 1, i32 3, i32 1)" : ", i32 0, i32 3, i32 1)");
}

TEST(prefetch, covers_the_lines_of_the_next_group) {
  const formed_kernel kernel = formed(through_local_memory("%i", "%i", true));
  if (kernel.report().vector_width < 2) GTEST_SKIP() << "there are no vectors on this machine";
  // Each loop prefetches the lines of its vectors: at least one line, at most all lines of a group.
  constexpr std::size_t lines = size * sizeof(float) / 64;
  for (const bool write : {false, true}) {
    EXPECT_GE(prefetches(kernel, write), 1u) << kernel.optimised();
    EXPECT_LE(prefetches(kernel, write), lines) << kernel.optimised();
  }
}

TEST(prefetch, does_not_change_results) {
  const formed_kernel kernel = formed(through_local_memory("%i", "%i", true));
  std::vector<float> in(groups * size), out(in.size(), -1);
  std::iota(in.begin(), in.end(), 1.0f);
  const void *arguments[] = {in.data(), out.data()};
  kernel.run(groups_of({groups * size, 1, 1}, {size, 1, 1}, 1), arguments, size * sizeof(float));
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t group = i / size, me = i % size;
    ASSERT_EQ(out[i], in[group * size + size - 1 - me]) << i;
  }
}

TEST(prefetch, works_for_descending_addresses) {
  const formed_kernel kernel = formed(through_local_memory("%backwards", "%i", true));
  if (kernel.report().vector_width < 2) GTEST_SKIP() << "there are no vectors on this machine";
  EXPECT_GE(prefetches(kernel, false), 1u);
  std::vector<float> in(groups * size), out(in.size(), -1);
  std::iota(in.begin(), in.end(), 1.0f);
  const void *arguments[] = {in.data() + (groups - 1) * size, out.data()};
  kernel.run(groups_of({groups * size, 1, 1}, {size, 1, 1}, 1), arguments, size * sizeof(float));
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t group = i / size, me = i % size;
    ASSERT_EQ(out[i], in[(groups - 1 - group) * size + size - 1 - me]) << i;
  }
}

// Memory shared by all groups is in the cache already, as is local memory. Without barriers, the hardware prefetcher
// works.
TEST(prefetch, is_not_inserted_without_benefit) {
  EXPECT_EQ(prefetches(formed(through_local_memory("%me", "%i", true)), false), 0u);
  EXPECT_EQ(prefetches(formed(through_local_memory("%i", "%me", true)), true), 0u);
  const formed_kernel without = formed(through_local_memory("%i", "%i", false));
  EXPECT_EQ(prefetches(without, false) + prefetches(without, true), 0u);
}

// out[i] = sum over r of in[r * DISTANCE + id of another work-item], each through local memory.
std::string loop_through_local_memory(const std::string &distance) {
  return R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.given = getelementptr ptr, ptr %arguments, i64 2
  %a.rounds = getelementptr ptr, ptr %arguments, i64 3
  %in = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %given = load i64, ptr %a.given
  %rounds = load i64, ptr %a.rounds
  %local = call ptr @__dpep_local_memory()
  %i = call i64 @__dpep_global_id(i32 0)
  %me = call i64 @__dpep_local_id(i32 0)
  %mine = getelementptr float, ptr %local, i64 %me
  %left = sub i64 127, %me
  %other = getelementptr float, ptr %local, i64 %left
  br label %round
round:
  %r = phi i64 [ 0, %0 ], [ %r.next, %round ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %round ]
  %start = mul i64 %r, )" +
         distance + R"(
  %from = add i64 %start, %i
  %p = getelementptr float, ptr %in, i64 %from
  %x = load float, ptr %p
  store float %x, ptr %mine
  call void @__dpep_group_barrier()
  %y = load float, ptr %other
  %sum.next = fadd float %sum, %y
  call void @__dpep_group_barrier()
  %r.next = add nuw nsw i64 %r, 1
  %more = icmp ult i64 %r.next, %rounds
  br i1 %more, label %round, label %done
done:
  %q = getelementptr float, ptr %out, i64 %i
  store float %sum.next, ptr %q
  ret void
}
)";
}

std::size_t prefetches_of_loop(const std::string &distance) {
  return occurrences(formed(loop_through_local_memory(distance)).optimised(), ", i32 0, i32 2, i32 1)");
}

// The distance may be known at run time only. Hardware prefetchers handle short ones.
TEST(prefetch, covers_the_next_iteration_of_a_loop) {
  if (formed(loop_through_local_memory("%given")).report().vector_width < 2)
    GTEST_SKIP() << "there are no vectors on this machine";
  EXPECT_GE(prefetches_of_loop("%given"), 1u);
  EXPECT_GE(prefetches_of_loop("1024"), 1u);
  EXPECT_GE(prefetches_of_loop("-1024"), 1u);
  EXPECT_EQ(prefetches_of_loop("128"), 0u);
  EXPECT_EQ(prefetches_of_loop("0"), 0u);
}

TEST(prefetch, of_iterations_does_not_change_results) {
  const std::size_t all = groups * size, rounds = 3;
  for (const std::string distance : {"%given", "640", "1024"}) {
    SCOPED_TRACE(distance);
    const std::size_t pitch = distance == "1024" ? 1024 : all;
    std::vector<float> in(rounds * pitch), out(all, -1);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 7 % 101);
    const void *arguments[] = {in.data(), out.data(), reinterpret_cast<const void *>(pitch),
                               reinterpret_cast<const void *>(rounds)};
    formed(loop_through_local_memory(distance))
        .run(groups_of({all, 1, 1}, {size, 1, 1}, 1), arguments, size * sizeof(float));
    for (std::size_t i = 0; i < all; ++i) {
      float wanted = 0;
      for (std::size_t r = 0; r < rounds; ++r) wanted += in[r * pitch + i / size * size + size - 1 - i % size];
      ASSERT_EQ(out[i], wanted) << i;
    }
  }
}

}  // namespace
}  // namespace dpep::test
