// Sorts whose values are written to the memory that they are read from.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "array/executor.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;

template <class T> class sort_in_place : public ::testing::Test {};
using dtypes = ::testing::Types<std::int8_t, std::uint16_t, std::int32_t, std::int64_t, float, double,
                                std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(sort_in_place, dtypes);

template <class T> std::vector<T> random_values(std::size_t count) {
  std::minstd_rand next(5);
  std::vector<T> values(count);
  for (T &v : values) {
    const int real = int(next() % 120), imaginary = int(next() % 7);
    if constexpr (std::is_arithmetic_v<T>)
      v = T(real);
    else
      v = T(typename T::value_type(real), typename T::value_type(imaginary));
  }
  return values;
}
template <class T> bool is_before(const T &a, const T &b) {
  if constexpr (std::is_arithmetic_v<T>)
    return a < b;
  else
    return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
}

TYPED_TEST(sort_in_place, values_and_positions_are_those_of_a_sort) {
  using T = TypeParam;
  for (const std::size_t length : {1u, 10u, 5000u, 300'000u}) {
    for (const bool with_positions : {false, true}) {
      const std::vector<T> given = random_values<T>(length);
      const ndarray x = array_of(given);
      const ndarray positions = with_positions ? array_of(std::vector<std::int64_t>(length)) : ndarray();
      array_object &a = implementation_of(x, "test");
      executor_of(a.queue).sort(a, &a, with_positions ? &implementation_of(positions, "test") : nullptr, false);
      std::vector<T> expected = given;
      std::ranges::stable_sort(expected, is_before<T>);
      EXPECT_EQ(values_of<T>(x), expected) << length;
      if (!with_positions) continue;
      const std::vector<std::int64_t> found = values_of<std::int64_t>(positions);
      for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(given[std::size_t(found[i])], expected[i]) << i;
    }
  }
}

}  // namespace
}  // namespace dpep::array
