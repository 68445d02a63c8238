// The GPU executor's sorts on the default device, mostly a CPU, against std::stable_sort.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <dpep/array_opcodes.hpp>

#include "array/executor.hpp"
#include "array/graph/array_object.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

class generated_kernels_scope {
public:
  generated_kernels_scope() : before_(use_generated_kernels(true)) {}
  ~generated_kernels_scope() { use_generated_kernels(before_); }
  generated_kernels_scope(const generated_kernels_scope &) = delete;

private:
  bool before_;
};

template <class T> constexpr bool is_complex_type = false;
template <class T> constexpr bool is_complex_type<std::complex<T>> = true;
template <class T> constexpr bool is_float_type = std::is_floating_point_v<T> || std::is_same_v<T, _Float16>;

/// NumPy's order of elements.
template <class T> bool is_less(T a, T b) {
  if constexpr (is_complex_type<T>) {
    const auto class_of = [](T x) { return 2 * std::isnan(x.real()) + std::isnan(x.imag()); };
    if (class_of(a) != class_of(b)) return class_of(a) < class_of(b);
    if (a.real() < b.real() || b.real() < a.real()) return a.real() < b.real();
    return a.imag() < b.imag();
  } else if constexpr (is_float_type<T>) {
    return a < b || (a == a && b != b);  // NOLINT: NaN
  } else {
    return a < b;
  }
}

template <class T> struct sorted_rows {
  std::vector<T> values;
  std::vector<std::int64_t> positions;
};
template <class T> sorted_rows<T> expected_sort(const std::vector<T> &x, std::size_t length, bool descending) {
  sorted_rows<T> r{x, std::vector<std::int64_t>(x.size())};
  for (std::size_t first = 0; first < x.size(); first += length) {
    const auto begin = r.positions.begin() + std::ptrdiff_t(first), end = begin + std::ptrdiff_t(length);
    std::iota(begin, end, std::int64_t(0));
    std::stable_sort(begin, end, [&](std::int64_t i, std::int64_t j) {
      const T a = x[first + std::size_t(i)], b = x[first + std::size_t(j)];
      return descending ? is_less<T>(b, a) : is_less<T>(a, b);
    });
    for (std::size_t k = 0; k < length; ++k) r.values[first + k] = x[first + std::size_t(r.positions[first + k])];
  }
  return r;
}

/// The index of the first value with other bits; the size if there is none.
template <class T> std::size_t first_difference(const std::vector<T> &a, const std::vector<T> &b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    const T x = a[k], y = b[k];
    if (std::memcmp(&x, &y, sizeof(T)) != 0) return k;
  }
  return a.size();
}

array_object &object_of(const ndarray &x) { return implementation_of(x, "test"); }

/// Checks values and positions, each also without the other, and values in place.
template <class T> void check_sort(const std::vector<T> &x, shape_t shape, bool descending) {
  const auto length = std::size_t(shape.back());
  const sorted_rows<T> expected = expected_sort(x, length, descending);
  const auto run = [&](bool in_place, bool with_values, bool with_positions) {
    const std::string what =
        fmt::format("{} rows of {} {}, {}{}{}{}", x.size() / std::max<std::size_t>(length, 1), length,
                    name_of(dtype_of<T>()), descending ? "descending" : "ascending", in_place ? ", in place" : "",
                    with_values ? ", values" : "", with_positions ? ", positions" : "");
    const ndarray from = array_of(x, shape);
    const ndarray values = in_place ? from : empty(shape, dtype_of<T>(), here());
    const ndarray positions = empty(shape, dtype::int64, here());
    executor_of(from.get_queue())
        .sort(object_of(from), with_values ? &object_of(values) : nullptr,
              with_positions ? &object_of(positions) : nullptr, descending);
    if (with_positions)
      ASSERT_EQ(first_difference(values_of<std::int64_t>(positions), expected.positions), x.size()) << what;
    if (with_values) ASSERT_EQ(first_difference(values_of<T>(values), expected.values), x.size()) << what;
    if (!in_place) ASSERT_EQ(first_difference(values_of<T>(from), x), x.size()) << what << ": the input changed";
  };
  run(false, true, true);
  run(false, false, true);
  run(true, true, false);
  run(true, true, true);
}

template <class T> T random_element(std::mt19937_64 &random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random() % 2;
  } else if constexpr (is_complex_type<T>) {
    const auto real = random_element<typename T::value_type>(random);
    return {real, random_element<typename T::value_type>(random)};
  } else {
    const auto bits = random();
    if (bits % 4 == 0) return T(int(random() % 7) - 3);  // equal elements
    if constexpr (is_float_type<T>) {
      const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
      const double special[] = {0.0, -0.0, infinity, -infinity, nan, -nan};
      if (bits % 4 == 1) return T(special[random() % 6]);
    }
    T x;
    const std::uint64_t more = random();
    std::memcpy(&x, &more, sizeof x);  // denormal numbers and all NaNs, too
    return x;
  }
}
template <class T> std::vector<T> random_elements(std::int64_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> all(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = random_element<T>(random);
  return all;
}

template <class T> struct generated_sort : ::testing::Test {};
using all_types =
    ::testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                     std::int64_t, std::uint64_t, _Float16, float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(generated_sort, all_types);

/// Sorts in both orders in turn.
template <class T> void check_shapes(std::initializer_list<std::pair<std::int64_t, std::int64_t>> shapes) {
  const generated_kernels_scope generated;
  unsigned seed = 0;
  for (const auto &[rows, length] : shapes) {
    ++seed;
    check_sort(random_elements<T>(rows * length, seed), {rows, length}, seed % 2 != 0);
  }
}

TYPED_TEST(generated_sort, of_short_rows) { check_shapes<TypeParam>({{300, 10}, {5, 30}, {3, 1000}}); }
TYPED_TEST(generated_sort, of_long_rows) { check_shapes<TypeParam>({{3, 8193}, {1, 20'001}}); }

TEST(generated_sort_sizes, at_the_ends_of_tiles) {
  check_shapes<std::uint16_t>({{1, 1}, {7, 1}, {1, 2}, {3, 32}, {3, 33}, {2, 128}, {2, 129}, {1, 2048}, {1, 2049}});
  check_shapes<std::uint16_t>({{1, 8191}, {1, 8192}, {2, 8193}, {2, 16'383}, {2, 16'384}, {2, 16'385}});
}
TEST(generated_sort_sizes, of_many_long_rows) { check_shapes<float>({{40, 10'000}, {100, 8200}}); }
TEST(generated_sort_sizes, of_a_million_elements) {
  check_shapes<std::int32_t>({{1, 1'000'003}});
  check_shapes<float>({{1, 1'300'001}});
}
TEST(generated_sort_sizes, of_nothing) {
  const generated_kernels_scope generated;
  for (const shape_t &shape : {shape_t{0}, shape_t{0, 5}, shape_t{5, 0}}) {
    const ndarray x = empty(shape, dtype::float32, here()), positions = empty(shape, dtype::int64, here());
    EXPECT_NO_THROW(executor_of(x.get_queue()).sort(object_of(x), &object_of(x), &object_of(positions), false));
  }
}
TEST(generated_sort_sizes, of_a_single_element_without_axes) {
  const generated_kernels_scope generated;
  const ndarray x = array_of<float>({3}, {}), positions = empty(shape_t{}, dtype::int64, here());
  executor_of(x.get_queue()).sort(object_of(x), &object_of(x), &object_of(positions), true);
  EXPECT_EQ(values_of<float>(x), std::vector<float>{3});
  EXPECT_EQ(values_of<std::int64_t>(positions), std::vector<std::int64_t>{0});
}

TEST(generated_sort_orders, of_equal_sorted_and_reversed_elements) {
  const generated_kernels_scope generated;
  for (const std::int64_t length : {100, 30'000}) {
    std::vector<std::int32_t> x(std::size_t(length), 7);
    check_sort(x, {length}, false);
    check_sort(x, {length}, true);
    std::iota(x.begin(), x.end(), -1000);
    check_sort(x, {length}, false);
    check_sort(x, {length}, true);
    std::ranges::reverse(x);
    check_sort(x, {length}, false);
  }
}

/// The sum of a pending array: the sort comes after it and before what is recorded later.
TEST(generated_sort_orders, of_pending_elements) {
  const generated_kernels_scope generated;
  const auto x = random_elements<std::int32_t>(20'000, 5);
  const ndarray sum = apply(opcode::add, array_of(x), scalar::of(std::int64_t{1}));
  executor_of(sum.get_queue()).sort(object_of(sum), &object_of(sum), nullptr, false);
  const ndarray later = apply(opcode::subtract, sum, scalar::of(std::int64_t{1}));
  std::vector<std::int32_t> expected = x;
  for (std::int32_t &v : expected) v = std::int32_t(std::uint32_t(v) + 1);
  std::ranges::sort(expected);
  for (std::int32_t &v : expected) v = std::int32_t(std::uint32_t(v) - 1);
  EXPECT_EQ(values_of<std::int32_t>(later), expected);
}

}  // namespace
}  // namespace dpep::array
