// Sparse matrices in compressed rows against loops over their elements: products by the CPU's and the GPU's executor on
// the default device, mostly a CPU; the other operations by the CPU's.
#include <dpep/array_sparse.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "array/executor.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

/// A matrix in the host's memory.
template <class T, class I> struct host_rows {
  std::vector<I> starts{0}, indices;
  std::vector<T> values;
  std::int64_t columns = 0;

  std::int64_t rows() const { return static_cast<std::int64_t>(starts.size()) - 1; }
  compressed_rows on_device() const { return {array_of(starts), array_of(indices), array_of(values), columns}; }
};

/// Rows of up to `most` elements at increasing columns; every fourth one is empty, and one is long.
template <class T, class I> host_rows<T, I> random_rows(std::int64_t rows, std::int64_t columns, unsigned seed) {
  std::mt19937 random(seed);
  host_rows<T, I> a;
  a.columns = columns;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t step = i == rows / 2 ? 1 : 1 + columns / 8;
    if (i % 4 != 3)
      for (std::int64_t j = random() % step; j < columns; j += 1 + std::int64_t(random()) % step) {
        a.indices.push_back(I(j));
        a.values.push_back(T(static_cast<float>(int(random() % 7) - 3)));
      }
    a.starts.push_back(I(a.indices.size()));
  }
  return a;
}

template <class T> T sum_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else
    return T(a + b);
}
template <class T> T product_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else
    return T(a * b);
}

class sparse_products : public ::testing::TestWithParam<bool> {
protected:
  sparse_products() : before_(use_generated_kernels(GetParam())) {}
  ~sparse_products() override { use_generated_kernels(before_); }

private:
  const bool before_;
};

template <class T, class I> void check_products() {
  for (const std::int64_t rows : {1, 9, 700})
    for (const std::int64_t columns : {1, 50, 3000})
      for (const std::int64_t width : {1, 3, 21}) {
        const host_rows<T, I> a = random_rows<T, I>(rows, columns, unsigned(rows + columns));
        std::mt19937 random(7);
        std::vector<T> x(static_cast<std::size_t>(columns * width));
        for (auto &&value : x) value = T(static_cast<float>(int(random() % 5) - 2));
        std::vector<T> expected(static_cast<std::size_t>(rows * width)), sums(static_cast<std::size_t>(rows));
        for (std::int64_t i = 0; i < rows; ++i)
          for (I k = a.starts[std::size_t(i)]; k < a.starts[std::size_t(i) + 1]; ++k) {
            const T value = a.values[std::size_t(k)];
            sums[std::size_t(i)] = sum_of<T>(sums[std::size_t(i)], value);
            for (std::int64_t c = 0; c < width; ++c) {
              const auto at = std::size_t(i * width + c);
              const T other = x[std::size_t(a.indices[std::size_t(k)] * width + c)];
              expected[at] = sum_of<T>(expected[at], product_of<T>(value, other));
            }
          }
        const compressed_rows matrix = a.on_device();
        const ndarray dense = array_of(x, {columns, width});
        EXPECT_EQ(values_of<T>(sparse_multiply(matrix, &dense)), expected) << rows << " " << columns << " " << width;
        EXPECT_EQ(values_of<T>(sparse_multiply(matrix, nullptr)), sums) << rows << " " << columns;
      }
}

TEST_P(sparse_products, of_bools) { check_products<bool, std::int32_t>(); }
TEST_P(sparse_products, of_integers) { check_products<std::int32_t, std::int32_t>(); }
TEST_P(sparse_products, of_long_integers) { check_products<std::int64_t, std::int64_t>(); }
TEST_P(sparse_products, of_floats) { check_products<float, std::int32_t>(); }
TEST_P(sparse_products, of_doubles) { check_products<double, std::int64_t>(); }
TEST_P(sparse_products, of_complex_floats) { check_products<std::complex<float>, std::int64_t>(); }
TEST_P(sparse_products, of_complex_doubles) { check_products<std::complex<double>, std::int32_t>(); }

INSTANTIATE_TEST_SUITE_P(executors, sparse_products, ::testing::Bool(),
                         [](const auto &info) { return info.param ? "generated" : "default"; });

/// The elements of a matrix by row and column.
template <class T, class I> std::map<std::pair<std::int64_t, std::int64_t>, T> elements_of(const compressed_rows &a) {
  const std::vector<I> starts = values_of<I>(a.starts), indices = values_of<I>(a.indices);
  const std::vector<T> values = values_of<T>(a.values);
  std::map<std::pair<std::int64_t, std::int64_t>, T> all;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    for (I k = starts[i]; k < starts[i + 1]; ++k)
      all[{std::int64_t(i), indices[std::size_t(k)]}] += values[std::size_t(k)];
  return all;
}

class sparse_operations : public ::testing::Test {
protected:
  void SetUp() override {
    if (!has_sparse_operations(test_queue())) GTEST_SKIP() << "the device composes these operations";
  }
};

TEST_F(sparse_operations, transposes_have_columns_in_order) {
  const host_rows<double, std::int32_t> a = random_rows<double, std::int32_t>(5000, 60, 1);
  const compressed_rows t = sparse_transpose(a.on_device());
  EXPECT_TRUE(sparse_order(t).sorted);
  auto expected = elements_of<double, std::int32_t>(a.on_device());
  const auto found = elements_of<double, std::int32_t>(t);
  EXPECT_EQ(found.size(), expected.size());
  for (const auto &[at, value] : found) EXPECT_EQ((expected[{at.second, at.first}]), value);
}

TEST_F(sparse_operations, elements_in_any_order_become_rows) {
  for (const std::int64_t count : {0, 10, 300'000}) {
    std::mt19937 random(3);
    std::vector<std::int64_t> rows, columns;
    std::vector<float> values;
    std::map<std::pair<std::int64_t, std::int64_t>, float> expected;
    for (std::int64_t k = 0; k < count; ++k) {
      rows.push_back(random() % 100), columns.push_back(random() % 70), values.push_back(float(random() % 5));
      expected[{rows.back(), columns.back()}] += values.back();
    }
    const ndarray of_values = array_of(values);
    const compressed_rows made = sparse_group(array_of(rows), array_of(columns), &of_values, 100, 70);
    if (count > 0) sparse_sort_rows(made);
    EXPECT_EQ(sparse_order(made).different, std::int64_t(expected.size()));
    const compressed_rows summed = sparse_sum_duplicates(made);
    EXPECT_EQ(summed.values.size(), std::int64_t(expected.size()));
    EXPECT_EQ((elements_of<float, std::int64_t>(summed)), expected);
  }
}

TEST_F(sparse_operations, products_of_two_matrices) {
  for (const std::int64_t n : {3, 40, 2000}) {
    const host_rows<std::int32_t, std::int32_t> a = random_rows<std::int32_t, std::int32_t>(n, n, 1),
                                                b = random_rows<std::int32_t, std::int32_t>(n, n / 2 + 1, 2);
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> expected;
    for (std::int64_t i = 0; i < n; ++i)
      for (auto k = std::size_t(a.starts[std::size_t(i)]); k < std::size_t(a.starts[std::size_t(i) + 1]); ++k)
        for (auto l = std::size_t(b.starts[std::size_t(a.indices[k])]);
             l < std::size_t(b.starts[std::size_t(a.indices[k]) + 1]); ++l)
          expected[{i, b.indices[l]}] += a.values[k] * b.values[l];
    const compressed_rows product = sparse_multiply(a.on_device(), b.on_device());
    EXPECT_EQ(product.values.size(), std::int64_t(expected.size()));
    EXPECT_EQ((elements_of<std::int32_t, std::int32_t>(product)), expected);
  }
}

TEST_F(sparse_operations, bad_operands_are_refused) {
  const host_rows<double, std::int32_t> a = random_rows<double, std::int32_t>(4, 5, 1);
  const compressed_rows matrix = a.on_device();
  const ndarray short_vector = counting<double>({4}), other_type = counting<float>({5});
  EXPECT_THROW(sparse_multiply(matrix, &short_vector), error);
  EXPECT_THROW(sparse_multiply(matrix, &other_type), error);
  EXPECT_THROW(sparse_multiply(matrix, matrix), error);
  EXPECT_THROW(sparse_diagonal(matrix, 5), error);
  compressed_rows of_bytes = matrix;
  of_bytes.values = astype(matrix.values, dtype::int8);
  EXPECT_THROW(sparse_multiply(of_bytes, nullptr), error);
  compressed_rows wide = matrix;
  wide.indices = astype(matrix.indices, dtype::int64);
  EXPECT_THROW(sparse_order(wide), error);
}

}  // namespace
}  // namespace dpep::array
