// Loads of neighbours at positions that count from the end of the table if they are negative.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

constexpr const char *neighbours = R"(
declare i64 @llvm.umin.i64(i64, i64)
define spir_kernel void @kernel(ptr %arguments) {
  %a.positions = getelementptr ptr, ptr %arguments, i64 1
  %a.out = getelementptr ptr, ptr %arguments, i64 2
  %a.size = getelementptr ptr, ptr %arguments, i64 3
  %table = load ptr, ptr %arguments
  %positions = load ptr, ptr %a.positions
  %out = load ptr, ptr %a.out
  %p.size = load ptr, ptr %a.size
  %size = load i64, ptr %p.size
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr i64, ptr %positions, i64 %i
  %k = load i64, ptr %p
  %k.end = add i64 %k, %size
  %k.wrapped = call i64 @llvm.umin.i64(i64 %k, i64 %k.end)
  %q = getelementptr float, ptr %table, i64 %k.wrapped
  %x = load float, ptr %q
  %next = add i64 %k, DISTANCE
  %next.end = add i64 %next, %size
  %next.wrapped = call i64 @llvm.umin.i64(i64 %next, i64 %next.end)
  %r = getelementptr float, ptr %table, i64 %next.wrapped
  %y = load float, ptr %r
  %difference = fsub float %y, %x
  %target = getelementptr float, ptr %out, i64 %i
  store float %difference, ptr %target
  ret void
}
)";

/// The number of gathers in the optimised code, for neighbours at a distance.
void check(std::int64_t distance, bool loads_rows) {
  constexpr std::int64_t items = 147, size = 64;
  std::vector<float> table(size);
  for (std::size_t k = 0; k < table.size(); ++k) table[k] = static_cast<float>(k * 37 % 101);
  for (const auto &level : x86_levels())
    for (const std::int64_t first : {std::int64_t{0}, -size}) {
      const formed_kernel kernel(replaced(neighbours, "DISTANCE", std::to_string(distance)),
                                 specialisation_of(range_of(items)), formed_kernel::optimisation::standard,
                                 {.target = *level, .width = 8});
      std::vector<std::int64_t> positions(items);
      std::vector<float> out(items), wanted(items);
      for (std::int64_t i = 0; i < items; ++i) {
        const std::int64_t k = first + i * 31 % (size - distance - first), next = k + distance;
        positions[static_cast<std::size_t>(i)] = k;
        const auto at = [&](std::int64_t of) { return table[static_cast<std::size_t>(of < 0 ? of + size : of)]; };
        wanted[static_cast<std::size_t>(i)] = at(next) - at(k);
      }
      const void *arguments[] = {table.data(), positions.data(), out.data(), &size};
      kernel.run(range_of(items), arguments);
      EXPECT_EQ(out, wanted) << first;
      EXPECT_EQ(contains(kernel.optimised(), "load <2 x float>"), loads_rows) << kernel.optimised();
    }
}

// The limit of unsigned numbers: umin(k, k - 2) is k - 2.
TEST(neighbours_in_tables, are_not_at_their_positions_with_a_negative_length) {
  constexpr std::int64_t items = 40, size = -2;
  std::vector<float> table(64), out(items), wanted(items);
  for (std::size_t k = 0; k < table.size(); ++k) table[k] = static_cast<float>(k * k % 101);
  std::vector<std::int64_t> positions(items);
  for (std::size_t i = 0; i < out.size(); ++i) {
    positions[i] = static_cast<std::int64_t>(i) + 2;
    wanted[i] = table[i + 1] - table[i];
  }
  for (const auto &level : x86_levels()) {
    const formed_kernel kernel(replaced(neighbours, "DISTANCE", "1"), specialisation_of(range_of(items)),
                               formed_kernel::optimisation::standard, {.target = *level, .width = 8});
    const void *arguments[] = {table.data(), positions.data(), out.data(), &size};
    kernel.run(range_of(items), arguments);
    EXPECT_EQ(out, wanted);
  }
}

TEST(neighbours_in_tables, are_loaded_together) { check(1, true); }
TEST(neighbours_in_tables, that_are_far_apart_are_not) { check(9, false); }

}  // namespace
}  // namespace dpep::test
