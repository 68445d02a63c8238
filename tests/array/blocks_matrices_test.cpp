// The block kernels of products of matrices, for each instruction set, against sums in a loop.
#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

#include "array/blocks/matrix_block.hpp"
#include "array/blocks/table.hpp"

namespace {

using namespace dpep::array::blocks;
using dpep::dtype;

/// Small integers, of which all sums of products are exact.
template <class T> std::vector<T> numbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto next = [&] { return static_cast<int>(random() % 7) - 3; };
  std::vector<T> all(static_cast<std::size_t>(count));
  for (auto &&x : all) {
    if constexpr (std::is_same_v<T, std::uint8_t>)
      x = random() % 5 == 0;  // a truth value
    else if constexpr (requires { x.imag(); })
      x = T(static_cast<float>(next()), static_cast<float>(next()));
    else
      x = static_cast<T>(next());
  }
  return all;
}
template <class T> T added_product(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return sum | (a & b);
  else if constexpr (std::is_integral_v<T>)  // narrow numbers are promoted to int, whose products may overflow
    return static_cast<T>(sum + static_cast<T>(std::uint64_t(a) * std::uint64_t(b)));
  else
    return sum + a * b;
}

template <class T> constexpr std::int64_t parts = 1;
template <class R> constexpr std::int64_t parts<std::complex<R>> = 2;

/// Packs the right operand; the padding of its panels is not read into results.
template <class T>
std::vector<T> packed(const matrix_kernel &kernel, const std::vector<T> &right, std::int64_t depth,
                      std::int64_t columns) {
  const std::int64_t width = kernel.columns, panels = (columns + width - 1) / width;
  std::vector<T> all(static_cast<std::size_t>(panels * width * depth), T(7));
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t k = 0; k < depth; ++k) {
      const T value = right[static_cast<std::size_t>(k * columns + j)];
      const std::int64_t panel = j / width * width * depth + k * width, at = j % width;
      if constexpr (parts<T> == 1) {
        all[static_cast<std::size_t>(panel + at)] = value;
      } else {
        using R = typename T::value_type;
        R *const row =
            reinterpret_cast<R *>(&all[static_cast<std::size_t>(panel)]) + at / kernel.lanes * 2 * kernel.lanes;
        row[at % kernel.lanes] = value.real();
        row[kernel.lanes + at % kernel.lanes] = value.imag();
      }
    }
  return all;
}

class block_matrices : public testing::TestWithParam<instructions> {
protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "the processor has no " << name_of(GetParam());
  }
  const kernel_table table{GetParam()};

  /// All numbers of rows and columns around a tile, with a left operand whose rows or whose columns are contiguous.
  template <class T> void check(dtype type) {
    const matrix_kernel &kernel = table.matrices().kernels[static_cast<std::size_t>(type)];
    ASSERT_NE(kernel.multiply, nullptr);
    for (const std::int64_t depth : {1, 2, 9})
      for (std::int64_t rows = 1; rows <= 2 * kernel.rows + 1; ++rows)
        for (const std::int64_t columns : {1, kernel.lanes - 1, kernel.lanes, kernel.lanes + 1, kernel.columns - 1,
                                           kernel.columns, kernel.columns + 1, 2 * kernel.columns + kernel.lanes + 1})
          for (const bool adds : {false, true}) check_product<T>(kernel, rows, columns, depth, adds);
  }

  /// Batches that are not packed: of few columns, and of few rows.
  template <class T> void check_plain(dtype type) {
    const matrix_kernel &kernel = table.matrices().kernels[static_cast<std::size_t>(type)];
    ASSERT_EQ(kernel.multiply_batch == nullptr, kernel.multiply_rows == nullptr);
    if (!kernel.multiply_batch) GTEST_SKIP() << "without packing only where parts of vectors can be read";
    const std::int64_t lanes = kernel.lanes;
    for (const bool transposes_left : {false, true})
      for (const std::int64_t depth : {std::int64_t{1}, std::int64_t{7}, std::int64_t{8}, lanes, 2 * lanes + 3}) {
        for (std::int64_t rows = 1; rows <= 2 * kernel.rows + 1; ++rows)
          for (const std::int64_t columns : {std::int64_t{1}, lanes - 1, lanes, lanes + 1, 3 * lanes - 1})
            if (columns > 0 && columns <= kernel.columns)
              check_batch<T>(kernel.multiply_batch, {3, rows, columns, depth}, transposes_left);
        for (const std::int64_t rows : {1, 2, 3})
          for (const std::int64_t columns : {std::int64_t{1}, 5 * lanes - 1, 5 * lanes})
            check_batch<T>(kernel.multiply_rows, {3, rows, columns, depth}, transposes_left);
      }
  }

private:
  struct batch_size {
    std::int64_t count, rows, columns, depth;
  };
  template <class T>
  static void check_batch(void (*multiply)(const matrix_batch &), const batch_size &s, bool transposes_left) {
    // allocations of exactly the accessible bytes, so that sanitizers find more errors
    const std::vector<T> left = numbers<T>(s.count * s.rows * s.depth, 1);
    const std::vector<T> right = numbers<T>(s.count * s.depth * s.columns, 2);
    std::vector<T> result = numbers<T>(s.count * s.rows * s.columns, 3), expected;
    const std::int64_t left_row = transposes_left ? 1 : s.depth, left_column = transposes_left ? s.rows : 1;
    for (std::int64_t m = 0; m < s.count; ++m)
      for (std::int64_t i = 0; i < s.rows; ++i)
        for (std::int64_t j = 0; j < s.columns; ++j) {
          T sum = 0;
          for (std::int64_t k = 0; k < s.depth; ++k)
            sum = added_product(sum,
                                left[static_cast<std::size_t>(m * s.rows * s.depth + i * left_row + k * left_column)],
                                right[static_cast<std::size_t>((m * s.depth + k) * s.columns + j)]);
          expected.push_back(sum);
        }
    multiply({.count = s.count,
              .rows = s.rows,
              .columns = s.columns,
              .depth = s.depth,
              .left = left.data(),
              .left_row = left_row,
              .left_column = left_column,
              .left_matrix = s.rows * s.depth,
              .right = right.data(),
              .right_row = s.columns,
              .right_matrix = s.depth * s.columns,
              .result = result.data(),
              .result_row = s.columns,
              .result_matrix = s.rows * s.columns});
    ASSERT_EQ(result, expected) << s.rows << " x " << s.columns << ", depth " << s.depth
                                << (transposes_left ? ", left operand transposed" : "");
  }

  template <class T>
  static void check_product(const matrix_kernel &kernel, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                            bool adds) {
    if (columns < 1) return;
    const std::vector<T> left = numbers<T>(rows * depth, 1), right = numbers<T>(depth * columns, 2);
    const std::int64_t row = columns + 3;  // rows of the result have a margin, which stays
    std::vector<T> result = numbers<T>(rows * row, 3), expected = result;
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        T sum = adds ? expected[static_cast<std::size_t>(i * row + j)] : T(0);
        for (std::int64_t k = 0; k < depth; ++k)
          sum = added_product(sum, left[static_cast<std::size_t>(i * depth + k)],
                              right[static_cast<std::size_t>(k * columns + j)]);
        expected[static_cast<std::size_t>(i * row + j)] = sum;
      }
    std::vector<T> panels = packed(kernel, right, depth, columns);
    if (kernel.pack && adds) {  // the kernel's own packing, in half of the cases
      for (std::int64_t j = 0; j < columns; j += kernel.columns)
        kernel.pack({.rows = depth,
                     .columns = std::min<std::int64_t>(kernel.columns, columns - j),
                     .from = right.data() + j,
                     .from_row = columns,
                     .to = panels.data() + j * depth});
    }
    kernel.multiply({.rows = rows,
                     .columns = columns,
                     .depth = depth,
                     .left = left.data(),
                     .left_row = depth,
                     .left_column = 1,
                     .left_panel = kernel.rows * depth,
                     .right = panels.data(),
                     .right_panel = kernel.columns * depth,
                     .result = result.data(),
                     .result_row = row,
                     .adds = adds});
    ASSERT_EQ(result, expected) << rows << " x " << columns << ", depth " << depth << (adds ? ", adds" : "");
  }
};

TEST_P(block_matrices, of_truth_values) { check<std::uint8_t>(dtype::boolean); }
TEST_P(block_matrices, of_16_bit_integers) { check<std::uint16_t>(dtype::int16); }
TEST_P(block_matrices, of_32_bit_integers) { check<std::uint32_t>(dtype::uint32); }
TEST_P(block_matrices, of_64_bit_integers) { check<std::uint64_t>(dtype::int64); }
TEST_P(block_matrices, of_floats) { check<float>(dtype::float32); }
TEST_P(block_matrices, of_doubles) { check<double>(dtype::float64); }
TEST_P(block_matrices, of_complex_floats) { check<std::complex<float>>(dtype::complex64); }
TEST_P(block_matrices, of_complex_doubles) { check<std::complex<double>>(dtype::complex128); }
TEST_P(block_matrices, of_truth_values_without_packing) { check_plain<std::uint8_t>(dtype::boolean); }
TEST_P(block_matrices, of_16_bit_integers_without_packing) { check_plain<std::uint16_t>(dtype::int16); }
TEST_P(block_matrices, of_64_bit_integers_without_packing) { check_plain<std::uint64_t>(dtype::int64); }
TEST_P(block_matrices, of_floats_without_packing) { check_plain<float>(dtype::float32); }
TEST_P(block_matrices, of_doubles_without_packing) { check_plain<double>(dtype::float64); }

std::string set_name(const testing::TestParamInfo<instructions> &i) {
  constexpr const char *names[] = {"v2", "v3", "v4"};
  return names[static_cast<int>(i.param)];
}
INSTANTIATE_TEST_SUITE_P(instructions, block_matrices, testing::ValuesIn(all_instructions), set_name);

}  // namespace
