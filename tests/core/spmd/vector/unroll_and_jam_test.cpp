// Unroll and jam of a loop that several rows of a work-group run: results at every width and for any number of rows,
// and the conditions.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// out[y][x] = sum over i < COUNT of a[y][i] * b[i][x], kept in a private variable if `in_memory`.
std::string product(const std::string &count, bool in_memory) {
  const std::string add = in_memory ? R"(
  %before = load float, ptr %kept
  %sum.next = call float @llvm.fmuladd.f32(float %p, float %q, float %before)
  %other = getelementptr float, ptr %kept, i64 %odd
  store float 0.0, ptr %other
  store float %sum.next, ptr %kept)"
                                    : R"(
  %sum.next = call float @llvm.fmuladd.f32(float %p, float %q, float %sum))";
  return R"(
declare float @llvm.fmuladd.f32(float, float, float)
define spir_kernel void @kernel(ptr %arguments) {
  %kept = alloca [2 x float]
  %a.b = getelementptr ptr, ptr %arguments, i64 1
  %a.out = getelementptr ptr, ptr %arguments, i64 2
  %a.count = getelementptr ptr, ptr %arguments, i64 3
  %a = load ptr, ptr %arguments
  %b = load ptr, ptr %a.b
  %out = load ptr, ptr %a.out
  %given = load i64, ptr %a.count
  %x = call i64 @__dpep_local_id(i32 0)
  %y = call i64 @__dpep_local_id(i32 1)
  %row.length = call i64 @__dpep_local_size(i32 0)
  %y.next = add i64 %y, 1
  %odd = or i64 %given, 1
  %count = add i64 0, )" +
         count +
         R"(
  %a.start = mul i64 %y, 32
  %a.row = getelementptr float, ptr %a, i64 %a.start
  store float 0.0, ptr %kept
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %sum.next, %loop ]
  %a.at = getelementptr float, ptr %a.row, i64 %i
  %b.start = mul i64 %i, %row.length
  %b.row = getelementptr float, ptr %b, i64 %b.start
  %b.at = getelementptr float, ptr %b.row, i64 %x
  %p = load float, ptr %a.at
  %q = load float, ptr %b.at)" +
         add + R"(
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %count
  br i1 %more, label %loop, label %done
done:
  %out.start = mul i64 %y, %row.length
  %out.row = getelementptr float, ptr %out, i64 %out.start
  %out.at = getelementptr float, ptr %out.row, i64 %x
  store float %sum.next, ptr %out.at
  ret void
}
)";
}

enum class rounds { sixteen, given, by_row };

class unroll_and_jam : public testing::Test {
protected:
  static void check(rounds how_many, bool in_memory, std::size_t width, std::size_t rows, unsigned lanes) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(rows) + " at width " + std::to_string(lanes));
    const geometry work = groups_of({width, rows, 1}, {width, rows, 1}, 2);
    const char *const counts[] = {"16", "%given", "%y.next"};
    const formed_kernel kernel(product(counts[static_cast<int>(how_many)], in_memory), specialisation_of(work),
                               formed_kernel::optimisation::standard, {.width = lanes});
    constexpr std::size_t given = 11;
    std::vector<float> a(rows * 32), b(32 * width), out(rows * width), wanted(rows * width);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i * 7 % 13) - 6;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 5 % 11) - 5;
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t count = how_many == rounds::sixteen ? 16 : how_many == rounds::given ? given : y + 1;
        for (std::size_t i = 0; i < count; ++i) wanted[y * width + x] += a[y * 32 + i] * b[i * width + x];
      }
    const void *arguments[] = {a.data(), b.data(), out.data(), reinterpret_cast<const void *>(given)};
    kernel.run(work, arguments);
    EXPECT_EQ(out, wanted);  // small whole numbers: no rounding, in whatever order
  }

  /// The number of accumulators in one loop, with vectors of 16 lanes.
  static std::size_t accumulators(rounds how_many, bool in_memory, std::size_t rows) {
    const geometry work = groups_of({16, rows, 1}, {16, rows, 1}, 2);
    const char *const counts[] = {"16", "%given", "%y.next"};
    const formed_kernel kernel(product(counts[static_cast<int>(how_many)], in_memory), specialisation_of(work),
                               formed_kernel::optimisation::standard, {.width = 16});
    std::size_t most = 0, here = 0;
    std::istringstream lines(kernel.optimised());
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) here = 0;  // between blocks
      most = std::max(most, here += contains(line, "phi <16 x float>"));
    }
    return most;
  }
};

TEST_F(unroll_and_jam, does_not_change_results) {
  for (const rounds how_many : {rounds::sixteen, rounds::given, rounds::by_row})
    for (const bool in_memory : {false, true})
      for (const unsigned lanes : {0U, 1U, 4U, 16U}) check(how_many, in_memory, 16, 12, lanes);
}

TEST_F(unroll_and_jam, works_for_any_number_and_length_of_rows) {
  for (const std::size_t rows : {2, 3, 7, 8})
    for (const std::size_t width : {5, 16, 40}) check(rounds::given, false, width, rows, 0);
}

TEST_F(unroll_and_jam, processes_several_rows_in_one_loop) {
  EXPECT_GE(accumulators(rounds::given, false, 8), 4U);
  EXPECT_GE(accumulators(rounds::given, false, 6), 2U);
}

TEST_F(unroll_and_jam, does_not_change_results_of_unrolled_loops) {
  for (const std::size_t rows : {1, 2, 3, 4, 6, 8, 16})
    for (const std::size_t width : {4, 8, 16, 24, 32, 40}) check(rounds::sixteen, false, width, rows, 0);
}

TEST_F(unroll_and_jam, processes_several_rows_in_unrolled_code) {
  for (const std::size_t width : {16, 32}) {
    const geometry work = groups_of({width, 8, 1}, {width, 8, 1}, 2);
    const formed_kernel kernel(product("16", false), specialisation_of(work), formed_kernel::optimisation::standard,
                               {.width = 16});
    std::size_t sums = occurrences(kernel.optimised(), "call <16 x float> @llvm.fmuladd");
    EXPECT_GE(sums, 4U * 16);
    EXPECT_LE(occurrences(kernel.optimised(), "load <16 x float>"), sums / 4);
  }
}

TEST_F(unroll_and_jam, processes_several_rows_of_several_vectors) {
  const geometry work = groups_of({32, 8, 1}, {32, 8, 1}, 2);
  const formed_kernel kernel(product("%given", false), specialisation_of(work), formed_kernel::optimisation::standard,
                             {.width = 16});
  EXPECT_GE(occurrences(kernel.optimised(), "call <16 x float> @llvm.fmuladd"), 4U);
}

TEST_F(unroll_and_jam, is_not_done_for_divergent_loops_or_a_prime_number_of_rows) {
  EXPECT_EQ(accumulators(rounds::by_row, false, 8), 1U);
  EXPECT_EQ(accumulators(rounds::given, false, 7), 1U);
}

}  // namespace
}  // namespace dpep::test
