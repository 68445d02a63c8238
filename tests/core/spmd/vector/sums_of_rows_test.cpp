// Loops over work-items that stay scalar: sums of rows, whose inner loops become vectors, and look-ups of small
// elements.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spmd/run_kernel.hpp"

namespace dpep::test {
namespace {

// sums[i] = sum over k < n of matrix[i * n + k] * x[k], for elements of type T
std::string products(const char *element) {
  std::string text = replaced(R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.x = getelementptr ptr, ptr %arguments, i64 1
  %a.sums = getelementptr ptr, ptr %arguments, i64 2
  %a.n = getelementptr ptr, ptr %arguments, i64 3
  %matrix = load ptr, ptr %arguments
  %x = load ptr, ptr %a.x
  %sums = load ptr, ptr %a.sums
  %n = load i64, ptr %a.n
  %i = call i64 @__dpep_global_id(i32 0)
  %row = mul nsw i64 %i, %n
  %start = getelementptr T, ptr %matrix, i64 %row
  %some = icmp ne i64 %n, 0
  br i1 %some, label %loop, label %done
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %new, %loop ]
  %p = getelementptr T, ptr %start, i64 %k
  %q = getelementptr T, ptr %x, i64 %k
  %a = load T, ptr %p
  %b = load T, ptr %q
  %a.int = sext T %a to i32
  %b.int = sext T %b to i32
  %product = mul i32 %a.int, %b.int
  %new = add i32 %sum, %product
  %next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi i32 [ 0, %0 ], [ %new, %loop ]
  %target = getelementptr i32, ptr %sums, i64 %i
  store i32 %result, ptr %target
  ret void
}
)",
                              "T", element);
  return replaced(replaced(text, "sext i32 %a to i32", "add i32 %a, 0"), "sext i32 %b to i32", "add i32 %b, 0");
}

template <class T> void check_products(const char *element) {
  const formed_kernel kernel(products(element), specialisation_of(range_of(1000)));
  EXPECT_TRUE(contains(kernel.report().remarks, "sums of rows")) << kernel.report().remarks;
  EXPECT_TRUE(contains(kernel.optimised(), "vector.reduce.add"));
  EXPECT_FALSE(contains(kernel.optimised(), "gather"));
  for (const std::size_t items : {1, 3, 17})
    for (const std::size_t n : {0, 1, 15, 16, 17, 33, 64, 100, 300}) {
      std::vector<T> matrix(items * n), x(n);
      std::vector<std::int32_t> sums(items), wanted(items);
      for (std::size_t k = 0; k < matrix.size(); ++k) matrix[k] = static_cast<T>(k * 37 % 256 - 128);
      for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<T>(k * 59 % 256 - 128);
      for (std::size_t i = 0; i < items; ++i)
        for (std::size_t k = 0; k < n; ++k) wanted[i] += matrix[i * n + k] * x[k];
      const void *arguments[] = {matrix.data(), x.data(), sums.data(), reinterpret_cast<const void *>(n)};
      kernel.run(range_of(items), arguments);
      EXPECT_EQ(sums, wanted) << items << " rows of " << n;
    }
}

TEST(sums_of_rows, of_bytes) { check_products<std::int8_t>("i8"); }
TEST(sums_of_rows, of_shorts) { check_products<std::int16_t>("i16"); }
TEST(sums_of_rows, of_words) { check_products<std::int32_t>("i32"); }

// Columns are contiguous for neighbouring work-items, which stay vectors.
TEST(sums_of_rows, are_not_sums_of_columns) {
  std::string text = replaced(products("i8"), "%row = mul nsw i64 %i, %n", "%row = add nsw i64 %i, 0");
  text = replaced(text, "%p = getelementptr i8, ptr %start, i64 %k",
                  "%down = mul nsw i64 %k, 40\n  %p = getelementptr i8, ptr %start, i64 %down");
  const formed_kernel kernel(text, specialisation_of(range_of(40)));
  EXPECT_GT(kernel.report().vector_width, 1U) << kernel.report().remarks;
  constexpr std::size_t items = 40, n = 20;
  std::vector<std::int8_t> matrix(items * n), x(n);
  std::vector<std::int32_t> sums(items), wanted(items);
  for (std::size_t k = 0; k < matrix.size(); ++k) matrix[k] = static_cast<std::int8_t>(k * 37 % 256 - 128);
  for (std::size_t k = 0; k < n; ++k) x[k] = static_cast<std::int8_t>(k * 59 % 256 - 128);
  for (std::size_t i = 0; i < items; ++i)
    for (std::size_t k = 0; k < n; ++k) wanted[i] += matrix[k * items + i] * x[k];
  const void *arguments[] = {matrix.data(), x.data(), sums.data(), reinterpret_cast<const void *>(n)};
  kernel.run(range_of(items), arguments);
  EXPECT_EQ(sums, wanted);
}

TEST(small_gathers, of_tables_stay_scalar) {
  constexpr const char *text = R"(
define spir_kernel void @kernel(ptr %arguments) {
  %a.in = getelementptr ptr, ptr %arguments, i64 1
  %a.out = getelementptr ptr, ptr %arguments, i64 2
  %table = load ptr, ptr %arguments
  %in = load ptr, ptr %a.in
  %out = load ptr, ptr %a.out
  %i = call i64 @__dpep_global_id(i32 0)
  %p = getelementptr i8, ptr %in, i64 %i
  %code = load i8, ptr %p
  %index = zext i8 %code to i64
  %q = getelementptr i8, ptr %table, i64 %index
  %found = load i8, ptr %q
  %r = getelementptr i8, ptr %out, i64 %i
  store i8 %found, ptr %r
  ret void
}
)";
  const formed_kernel kernel(text, specialisation_of(range_of(100)));
  EXPECT_EQ(kernel.report().vector_width, 1U);
  EXPECT_FALSE(contains(kernel.optimised(), "x i8>")) << kernel.optimised();
  std::vector<std::uint8_t> table(256), in(101), out(101), wanted(101);
  for (std::size_t i = 0; i < 256; ++i) table[i] = static_cast<std::uint8_t>(i * 7 + 3);
  for (std::size_t i = 0; i < in.size(); ++i) wanted[i] = table[in[i] = static_cast<std::uint8_t>(i * 11)];
  const void *arguments[] = {table.data(), in.data(), out.data()};
  kernel.run(range_of(in.size()), arguments);
  EXPECT_EQ(out, wanted);
}

}  // namespace
}  // namespace dpep::test
