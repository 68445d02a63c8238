// Histograms in grid-stride loops: iterations with all lanes active are executed without masks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// for (int i = global_id; i < n; i += step) bins[values[i] & 7] += 1; in local memory. C++'s `i += step` with a step of
// 64 bits truncates and extends i in each iteration.
constexpr const char *histogram = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %a.n = getelementptr ptr, ptr %arguments, i64 2
  %a.step = getelementptr ptr, ptr %arguments, i64 3
  %values = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %n64 = load i64, ptr %a.n
  %n = trunc i64 %n64 to i32
  %step = load i64, ptr %a.step
  %bins = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %id = call i64 @__dpep_global_id(i32 0)
  %group = call i64 @__dpep_group_id(i32 0)
  %me.int = trunc i64 %me to i32
  %mine = getelementptr i32, ptr %bins, i64 %me
  %counts = icmp slt i32 %me.int, 8
  br i1 %counts, label %clear, label %cleared
clear:
  store i32 0, ptr %mine
  br label %cleared
cleared:
  call void @__dpep_group_barrier()
  %id.int = trunc i64 %id to i32
  %any = icmp slt i32 %id.int, %n
  br i1 %any, label %loop, label %counted
loop:
  %i = phi i64 [ %id, %cleared ], [ %next, %loop.end ]
  %i.high = shl i64 %i, 32
  %i.int = ashr exact i64 %i.high, 32
  %p = getelementptr i32, ptr %values, i64 %i.int
  %value = load i32, ptr %p
  BODY
loop.end:
  %next = add i64 %step, %i.int
  %next.int = trunc i64 %next to i32
  %more = icmp slt i32 %next.int, %n
  br i1 %more, label %loop, label %counted
counted:
  call void @__dpep_group_barrier()
  br i1 %counts, label %write, label %done
write:
  %first = mul i64 %group, 8
  %at = add i64 %first, %me
  %target = getelementptr i32, ptr %out, i64 %at
  %count = load i32, ptr %mine
  store i32 %count, ptr %target
  br label %done
done:
  ret void
}
)";

constexpr const char *count_all = R"(
  %bin = and i32 %value, 7
  %bin64 = zext i32 %bin to i64
  %counter = getelementptr i32, ptr %bins, i64 %bin64
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  br label %loop.end)";

// Only odd values, and each of them twice.
constexpr const char *count_odd_twice = R"(
  %bin = and i32 %value, 7
  %bin64 = zext i32 %bin to i64
  %counter = getelementptr i32, ptr %bins, i64 %bin64
  %odd = trunc i32 %value to i1
  br i1 %odd, label %inside, label %loop.end
inside:
  %round = phi i32 [ 0, %loop ], [ %round.next, %inside ]
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  %round.next = add i32 %round, 1
  %again = icmp ult i32 %round.next, 2
  br i1 %again, label %inside, label %loop.end)";

std::string kernel_with(const char *body) { return replaced(histogram, "BODY", body); }

void check(const char *body, std::size_t size, std::size_t groups, std::size_t n, std::size_t step, unsigned width) {
  SCOPED_TRACE(std::to_string(size) + " x " + std::to_string(groups) + ", n " + std::to_string(n) + ", width " +
               std::to_string(width));
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(kernel_with(body), specialisation_of(work), formed_kernel::optimisation::standard,
                             {.width = width});
  const bool twice = body == count_odd_twice;
  std::vector<std::int32_t> values(n), counts(groups * 8), wanted(groups * 8);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int32_t>(i * i / 3);
  for (std::size_t id = 0; id < groups * size; ++id)
    for (std::size_t i = id; i < n; i += step)
      if (!twice || values[i] % 2) wanted[id / size * 8 + static_cast<std::size_t>(values[i] & 7)] += twice ? 2 : 1;
  const void *arguments[] = {values.data(), counts.data(), reinterpret_cast<const void *>(n),
                             reinterpret_cast<const void *>(step)};
  kernel.run(work, arguments, 8 * sizeof(std::int32_t));
  EXPECT_EQ(counts, wanted);
}

TEST(grid_stride_loops, count_each_value_once) {
  for (const char *body : {count_all, count_odd_twice})
    for (const std::size_t size : {8, 20, 64, 256})
      for (const std::size_t n : {0, 1, 7, 63, 64, 127, 128, 129, 500, 1003}) check(body, size, 2, n, 2 * size, 0);
}

TEST(grid_stride_loops, work_with_every_width) {
  for (const unsigned width : {1U, 4U, 8U, 16U, 32U}) {
    check(count_all, 64, 3, 1003, 3 * 64, width);
    check(count_odd_twice, 64, 3, 1003, 3 * 64, width);
  }
}

// i + step exceeds an int for most work-items, which do not enter the loop.
TEST(grid_stride_loops, work_with_steps_whose_sums_exceed_an_int) {
  check(count_all, 64, 2, 16, 0x7ffffff0, 0);
  check(count_all, 64, 2, 16, 0x7fffffff - 15, 16);
}

TEST(grid_stride_loops, have_unmasked_iterations) {
  const jit::specialisation special = specialisation_of(groups_of({512, 1, 1}, {256, 1, 1}, 1));
  const std::string code =
      formed_kernel(kernel_with(count_all), special, formed_kernel::optimisation::standard, {.width = 16}).optimised();
  EXPECT_TRUE(contains(code, ".unmasked"));
  EXPECT_FALSE(contains(code, "masked.gather"));  // the index is known to be consecutive in the lanes
}

}  // namespace
}  // namespace dpep::test
