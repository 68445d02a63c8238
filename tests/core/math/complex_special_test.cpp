// Functions of complex numbers have the special values of C99's Annex G, compared with the C library's.
#include <array>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "math/loops.hpp"
#include "math/reference.hpp"

namespace dpep::test {
namespace {

using number = std::complex<double>;
struct special_function {
  std::string name;
  number (*of_libc)(const number &);
};
#define FUNCTION(name) {#name, [](const number &z) { return number(std::name(z)); }}
const special_function functions[] = {
    FUNCTION(exp),  FUNCTION(log),   FUNCTION(log10), FUNCTION(sqrt),  FUNCTION(sin),  FUNCTION(cos),
    FUNCTION(tan),  FUNCTION(sinh),  FUNCTION(cosh),  FUNCTION(tanh),  FUNCTION(asin), FUNCTION(acos),
    FUNCTION(atan), FUNCTION(asinh), FUNCTION(acosh), FUNCTION(atanh), FUNCTION(proj)};
#undef FUNCTION

const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double parts[] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 30.0, -30.0, inf, -inf, nan_value, -nan_value};

bool has_nan(number z) { return std::isnan(z.real()) || std::isnan(z.imag()); }

/// Whether Annex G leaves the sign unspecified: where a part is NaN, or an infinite number has no direction.
bool sign_is_unspecified(number z, number result) {
  return has_nan(z) || has_nan(result) || (std::isinf(z.real()) && std::isinf(z.imag()));
}
bool same_part(double got, double expected, bool any_sign, double tolerance) {
  if (std::isnan(expected)) return std::isnan(got);
  if (expected == 0 || std::isinf(expected)) {
    if (any_sign) return std::abs(got) == std::abs(expected);
    return got == expected && std::signbit(got) == std::signbit(expected);
  }
  if (any_sign) got = std::copysign(got, expected);
  return std::abs(got - expected) <= tolerance * std::abs(expected);
}

template <class T> void expect_special_values(const special_function &f, std::span<const loop<T>> loops) {
  const double tolerance = 16 * std::numeric_limits<T>::epsilon();
  for (double x : parts)
    for (double y : parts) {
      const T z[] = {T(x), T(y)};
      T got[2];
      find(loops, f.name).run(z, nullptr, got, 1);
      const number expected = f.of_libc({x, y});
      const bool any_sign = sign_is_unspecified({x, y}, expected);
      EXPECT_TRUE(same_part(got[0], expected.real(), any_sign, tolerance) &&
                  same_part(got[1], expected.imag(), any_sign, tolerance))
          << f.name << "(" << x << ", " << y << ") = (" << got[0] << ", " << got[1] << "), expected " << expected;
    }
}

class complex_special_values : public testing::TestWithParam<special_function> {};
TEST_P(complex_special_values, floats) {
  for (const auto &tables : processors()) expect_special_values(GetParam(), tables.complex_floats);
}
TEST_P(complex_special_values, doubles) {
  for (const auto &tables : processors()) expect_special_values(GetParam(), tables.complex_doubles);
}
INSTANTIATE_TEST_SUITE_P(each, complex_special_values, testing::ValuesIn(functions),
                         [](const auto &info) { return info.param.name; });

}  // namespace
}  // namespace dpep::test
