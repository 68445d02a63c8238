// Products of matrices by the CPU's and the GPU's executor on the default device, mostly a CPU, against sums in a loop.
#include <dpep/array_products.hpp>

#include <gtest/gtest.h>

#include <random>

#include <dpep/array_opcodes.hpp>

#include "array/executor.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

class products : public ::testing::TestWithParam<bool> {
protected:
  products() : before_(use_generated_kernels(GetParam())) {}
  ~products() override { use_generated_kernels(before_); }

private:
  const bool before_;
};

/// Small integers, of which all sums of products are exact in float32 and float16.
template <class T> std::vector<T> numbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto next = [&] { return static_cast<int>(random() % 3) - 1; };
  std::vector<T> all(static_cast<std::size_t>(count));
  for (auto &&x : all) {
    if constexpr (std::is_same_v<T, bool>)
      x = random() % 16 == 0;
    else if constexpr (requires { T().imag(); })
      x = T(static_cast<float>(next()), static_cast<float>(next()));
    else
      x = static_cast<T>(next());
  }
  return all;
}

template <class T> T added_product(T sum, T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return sum || (a && b);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(sum) +
                          static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return static_cast<T>(sum + a * b);
}

struct product_size {
  std::int64_t batch, rows, columns, depth;
};
template <class T> void check(const product_size &size, bool transposes_left = false, bool transposes_right = false) {
  const auto [batch, rows, columns, depth] = size;
  const std::vector<T> a = numbers<T>(batch * rows * depth, 1), b = numbers<T>(batch * depth * columns, 2);
  std::vector<T> expected(static_cast<std::size_t>(batch * rows * columns));
  const auto left = [&](std::int64_t m, std::int64_t i, std::int64_t k) {
    return a[static_cast<std::size_t>(m * rows * depth + (transposes_left ? k * rows + i : i * depth + k))];
  };
  const auto right = [&](std::int64_t m, std::int64_t k, std::int64_t j) {
    return b[static_cast<std::size_t>(m * columns * depth + (transposes_right ? j * depth + k : k * columns + j))];
  };
  for (std::int64_t m = 0; m < batch; ++m)
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) {
        T sum{};
        for (std::int64_t k = 0; k < depth; ++k) sum = added_product<T>(sum, left(m, i, k), right(m, k, j));
        expected[static_cast<std::size_t>((m * rows + i) * columns + j)] = sum;
      }
  ndarray x = transposes_left ? matrix_transpose(array_of(a, {batch, depth, rows})) : array_of(a, {batch, rows, depth});
  ndarray y =
      transposes_right ? matrix_transpose(array_of(b, {batch, columns, depth})) : array_of(b, {batch, depth, columns});
  const ndarray z = matmul(x, y, {.type = {}, .layout = order::row_major, .out = nullptr});
  ASSERT_EQ(shape_of(z), (shape_t{batch, rows, columns}));
  ASSERT_EQ(values_of<T>(z), expected) << name_of(dtype_of<T>()) << ", " << batch << " of " << rows << " x " << depth
                                       << " and " << depth << " x " << columns;
  const ndarray product = matmul(x, y);
  const operand both[] = {{&product, nullptr}, {&product, nullptr}};
  for (auto &&each : expected) each = static_cast<T>(each + each);
  ASSERT_EQ(values_of<T>(element(opcode::add, both)), expected)
      << name_of(dtype_of<T>()) << ", " << rows << " x " << depth << " and " << depth << " x " << columns;
}

template <class T> void check_sizes() {
  for (const product_size &size : {product_size{1, 1, 1, 1},
                                   {1, 3, 5, 7},
                                   {1, 40, 50, 30},
                                   {1, 130, 200, 17},
                                   {7, 4, 4, 4},
                                   {3, 33, 65, 19},
                                   {1, 5, 6, 3000},
                                   {1, 1, 70, 300},
                                   {1, 70, 1, 300}})
    check<T>(size);
  for (const bool left : {false, true})
    for (const bool right : {false, true}) check<T>({2, 35, 36, 37}, left, right);
}

/// Few terms of many results may be summed in the pass that uses the product.
template <class T> void check_short_depths() {
  constexpr auto element = static_cast<std::int64_t>(sizeof(T));
  for (const product_size &size : {product_size{1, (1 << 20) / (1021 * element) + 2, 1021, 3},
                                   {1, 401, 627, 1},
                                   {1, 181, 203, 8},
                                   {5, 201, 270, 2},
                                   {1, 12'001, 3, 3},
                                   {1, 2, 90'003, 4},
                                   {1, 140'003, 1, 3}})
    check<T>(size);
  for (const bool left : {false, true})
    for (const bool right : {false, true}) check<T>({2, 535, 336, 4}, left, right);
}

TEST_P(products, of_bools) { check_sizes<bool>(), check_short_depths<bool>(); }
TEST_P(products, of_bytes) { check_sizes<std::int8_t>(), check_short_depths<std::int8_t>(); }
TEST_P(products, of_unsigned_short_integers) { check_sizes<std::uint16_t>(), check_short_depths<std::uint16_t>(); }
TEST_P(products, of_integers) { check_sizes<std::int32_t>(), check_short_depths<std::int32_t>(); }
TEST_P(products, of_long_integers) { check_sizes<std::int64_t>(), check_short_depths<std::int64_t>(); }
TEST_P(products, of_halves) { check_sizes<_Float16>(), check_short_depths<_Float16>(); }
TEST_P(products, of_floats) { check_sizes<float>(), check_short_depths<float>(); }
TEST_P(products, of_doubles) { check_sizes<double>(), check_short_depths<double>(); }
TEST_P(products, of_complex_floats) { check_sizes<std::complex<float>>(), check_short_depths<std::complex<float>>(); }
TEST_P(products, of_complex_doubles) {
  check_sizes<std::complex<double>>(), check_short_depths<std::complex<double>>();
}

/// The depth is cut into parts, of which the last one is shorter.
TEST_P(products, of_a_large_depth) {
  check<float>({1, 3, 4, 100'001});
  check<std::int8_t>({1, 9, 10, 20'003});
  check<bool>({1, 5, 6, 9000});
}

TEST_P(products, broadcast_over_batches) {
  const ndarray x = counting<double>({2, 1, 3, 4}), y = counting<double>({5, 4, 2});
  const ndarray whole = matmul(broadcast_to(x, shape_t{2, 5, 3, 4}), copy(broadcast_to(y, shape_t{2, 5, 4, 2})));
  EXPECT_EQ(values_of<double>(matmul(x, y)), values_of<double>(whole));
  EXPECT_EQ(values_of<double>(whole)[0], 0 * 0 + 1 * 2 + 2 * 4 + 3 * 6);
}

INSTANTIATE_TEST_SUITE_P(executors, products, ::testing::Bool(),
                         [](const auto &info) { return info.param ? "generated" : "default"; });

}  // namespace
}  // namespace dpep::array
