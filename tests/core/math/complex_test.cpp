// Complex products and quotients of the device library equal the compiler's, special values included.
#define DPEP_DEVICE_FUSED 0
#include "device/math/complex.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace dpep::test {
namespace {

template <class T> class complex_numbers : public testing::Test {};
using number_types = testing::Types<float, double>;
TYPED_TEST_SUITE(complex_numbers, number_types);

template <class T> std::array<T, 12> special() {
  using limits = std::numeric_limits<T>;
  return {T(0),
          -T(0),
          T(1),
          -T(1),
          T(2.5),
          -T(3),
          limits::infinity(),
          -limits::infinity(),
          limits::quiet_NaN(),
          limits::max(),
          limits::denorm_min(),
          -limits::min()};
}

/// Annex G does not specify signs of NaN, nor the other part where one is infinite.
template <class T> bool same(device::complex<T> got, std::complex<T> expected) {
  const auto same_part = [](T a, T b) { return (std::isnan(a) && std::isnan(b)) || a == b; };
  if (std::isinf(expected.real()) || std::isinf(expected.imag()))
    return std::isinf(got.real) || std::isinf(got.imaginary);
  return same_part(got.real, expected.real()) && same_part(got.imaginary, expected.imag());
}

TYPED_TEST(complex_numbers, products_of_special_values_follow_annex_g) {
  using T = TypeParam;
  for (T a : special<T>())
    for (T b : special<T>())
      for (T c : special<T>())
        for (T d : special<T>()) {
          const std::complex<T> expected = std::complex<T>(a, b) * std::complex<T>(c, d);
          const auto got = device::multiply(a, b, c, d);
          EXPECT_TRUE(same(got, expected))
              << "(" << a << " + " << b << "i) * (" << c << " + " << d << "i) = " << got.real << " + " << got.imaginary
              << "i, expected " << expected;
        }
}

TYPED_TEST(complex_numbers, quotients_of_special_values_follow_annex_g) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  auto q = device::divide(T(1), T(1), T(0), T(0));
  EXPECT_TRUE(q.real == inf && q.imaginary == inf) << "finite / 0 is infinite";
  q = device::divide(inf, nan, T(1), T(2));
  EXPECT_TRUE(std::isinf(q.real) || std::isinf(q.imaginary)) << "infinite / finite is infinite";
  q = device::divide(T(1), -T(2), inf, nan);
  EXPECT_TRUE(q.real == 0 && q.imaginary == 0) << "finite / infinite is 0";
  q = device::divide(nan, T(1), T(2), T(3));
  EXPECT_TRUE(std::isnan(q.real) && std::isnan(q.imaginary));
}

TYPED_TEST(complex_numbers, quotients_neither_overflow_nor_underflow) {
  using T = TypeParam;
  std::mt19937 random(5);
  std::uniform_real_distribution<T> mantissa(1, 2);
  const int widest = std::numeric_limits<T>::max_exponent - 3;
  for (int i = 0; i < 20000; ++i) {
    const int exponent = int(random() % unsigned(2 * widest)) - widest;
    const T a = std::ldexp(mantissa(random), exponent), b = -std::ldexp(mantissa(random), exponent - int(i % 8));
    const T c = std::ldexp(mantissa(random), exponent), d = std::ldexp(mantissa(random), exponent - int(i % 5));
    const std::complex<long double> expected =
        std::complex<long double>(a, b) / std::complex<long double>(c, d);  // with a sufficient range of exponents
    const auto got = device::divide(a, b, c, d);
    const long double error = std::abs(std::complex<long double>(got.real, got.imaginary) - expected);
    // denormal parts have fewer bits
    if (std::abs(b) > std::numeric_limits<T>::min() && std::abs(d) > std::numeric_limits<T>::min())
      EXPECT_LE(error, 4 * std::numeric_limits<T>::epsilon() * std::abs(expected))
          << a << ' ' << b << ' ' << c << ' ' << d;
  }
}

TYPED_TEST(complex_numbers, a_number_times_its_conjugate_is_real) {
  using T = TypeParam;
  std::mt19937 random(6);
  std::uniform_real_distribution<T> part(-10, 10);
  for (int i = 0; i < 1000; ++i) {
    const T a = part(random), b = part(random);
    EXPECT_EQ(device::multiply(a, b, a, -b).imaginary, 0);
  }
}

}  // namespace
}  // namespace dpep::test
