// Atomic operations on local memory become plain ones; those on other memory stay atomic.
#include <gtest/gtest.h>

#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// A histogram of values modulo 8 in local memory; the groups' counters are then stored one after the other.
constexpr const char *histogram = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.out = getelementptr ptr, ptr %arguments, i64 1
  %values = load ptr, ptr %arguments
  %out = load ptr, ptr %a.out
  %bins = call ptr @__dpep_local_memory()
  %me = call i64 @__dpep_local_id(i32 0)
  %i = call i64 @__dpep_global_id(i32 0)
  %group = call i64 @__dpep_group_id(i32 0)
  %mine = getelementptr i32, ptr %bins, i64 %me
  %counts = icmp ult i64 %me, 8
  br i1 %counts, label %clear, label %cleared
clear:
  store i32 0, ptr %mine
  br label %cleared
cleared:
  call void @__dpep_group_barrier()
  %p = getelementptr i32, ptr %values, i64 %i
  %value = load i32, ptr %p
  %bin = and i32 %value, 7
  %bin64 = zext i32 %bin to i64
  %counter = getelementptr i32, ptr %bins, i64 %bin64
  %old = atomicrmw add ptr %counter, i32 1 monotonic
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
define spir_kernel void @kernel(ptr %arguments) {
  %counter = load ptr, ptr %arguments
  %i = call i64 @__dpep_global_id(i32 0)
  %odd = trunc i64 %i to i1
  %add = zext i1 %odd to i32
  %old = atomicrmw add ptr %counter, i32 %add monotonic
  ret void
}
)";

TEST(local_atomics, handle_conflicts_without_locks) {
  constexpr std::size_t groups = 3, size = 100;
  const geometry work = groups_of({groups * size, 1, 1}, {size, 1, 1}, 1);
  const formed_kernel kernel(histogram, specialisation_of(work));
  std::vector<std::int32_t> values(groups * size), counts(groups * 8), wanted(groups * 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int32_t>(i * i / 3);
    ++wanted[i / size * 8 + static_cast<std::size_t>(values[i] & 7)];
  }
  const void *arguments[] = {values.data(), counts.data()};
  kernel.run(work, arguments, 8 * sizeof(std::int32_t));
  EXPECT_EQ(counts, wanted);
  EXPECT_TRUE(contains(kernel.formed(), "atomicrmw"));
  EXPECT_FALSE(contains(kernel.optimised(), "atomicrmw"));
}

TEST(local_atomics, do_not_extract_lanes) {
  const formed_kernel kernel(histogram, specialisation_of(groups_of({128, 1, 1}, {64, 1, 1}, 1)));
  EXPECT_FALSE(contains(kernel.optimised(), "extractelement"));
}

TEST(local_atomics, do_not_include_global_memory) {
  const geometry work = groups_of({128, 1, 1}, {32, 1, 1}, 1);
  const formed_kernel kernel(count_all, specialisation_of(work));
  std::int32_t counter = 0;
  const void *arguments[] = {&counter};
  kernel.run(work, arguments);
  EXPECT_EQ(counter, 64);
  EXPECT_TRUE(contains(kernel.optimised(), "atomicrmw"));
}

}  // namespace
}  // namespace dpep::test
