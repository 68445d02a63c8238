// The references of blocks_reference.hpp, and some known values.
#include "blocks_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include <dpep/array_opcodes.hpp>

#include "special_reference.hpp"

namespace blocks_test {
namespace {

constexpr long double nan = std::numeric_limits<long double>::quiet_NaN();

__int128 floor_quotient(__int128 x, __int128 y) {
  const __int128 q = x / y;
  return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
}

__int128 divisor(__int128 x, __int128 y) {
  if (x < 0) x = -x;
  if (y < 0) y = -y;
  return y == 0 ? x : divisor(y, x % y);
}

/// The lowest 128 bits: enough for the product of two 64-bit integers, and more than any result keeps.
__int128 product(__int128 x, __int128 y) {
  return static_cast<__int128>(static_cast<unsigned __int128>(x) * static_cast<unsigned __int128>(y));
}

/// Comparisons are the same for all kinds of numbers.
std::optional<bool> compared(opcode code, number x, number y) {
  const bool same = x == y;
  const bool ordered = !std::isnan(x.imag()) && !std::isnan(y.imag());
  const bool below = (x.real() < y.real() && ordered) || (x.real() == y.real() && x.imag() < y.imag());
  const bool above = (x.real() > y.real() && ordered) || (x.real() == y.real() && x.imag() > y.imag());
  const auto true_of = [](number z) { return z != number(0); };
  switch (code) {
  case opcode::equal:
    return same;
  case opcode::not_equal:
    return !same;
  case opcode::less:
    return below;
  case opcode::less_equal:
    return below || same;
  case opcode::greater:
    return above;
  case opcode::greater_equal:
    return above || same;
  case opcode::logical_and:
    return true_of(x) && true_of(y);
  case opcode::logical_or:
    return true_of(x) || true_of(y);
  case opcode::logical_xor:
    return true_of(x) != true_of(y);
  case opcode::logical_not:
    return !true_of(x);
  case opcode::isnan:
    return std::isnan(x.real()) || std::isnan(x.imag());
  case opcode::isinf:
    return std::isinf(x.real()) || std::isinf(x.imag());
  case opcode::isfinite:
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  case opcode::signbit:
    return std::signbit(x.real());
  default:
    return {};
  }
}

std::optional<number> chosen(opcode code, number x, number y) {
  const bool x_nan = *compared(opcode::isnan, x, {}), y_nan = *compared(opcode::isnan, y, {});
  const bool x_less = *compared(opcode::less, x, y);
  switch (code) {
  case opcode::maximum:
    return x_nan ? x : y_nan ? y : x_less ? y : x;
  case opcode::minimum:
    return x_nan ? x : y_nan ? y : x_less ? x : y;
  case opcode::fmax:
    return x_nan ? y : y_nan ? x : x_less ? y : x;
  case opcode::fmin:
    return x_nan ? y : y_nan ? x : x_less ? x : y;
  default:
    return {};
  }
}

}  // namespace

number integer_result(opcode code, dtype t, __int128 x, __int128 y, int bits) {
  switch (code) {
  case opcode::add:
    return t == dtype::boolean ? wrapped(t, x | y) : wrapped(t, x + y);
  case opcode::subtract:
    return wrapped(t, x - y);
  case opcode::multiply:
    return wrapped(t, product(x, y));
  case opcode::floor_divide:
  case opcode::numpy_floor_divide:
    return y == 0 ? number(0) : wrapped(t, floor_quotient(x, y));
  case opcode::remainder:
    return y == 0 ? number(0) : wrapped(t, x - floor_quotient(x, y) * y);
  case opcode::fmod:
    return y == 0 ? number(0) : wrapped(t, x % y);
  case opcode::pow: {
    if (y < 0) return 0;
    unsigned __int128 result = 1;
    // one factor after the other, as long as they change the result
    if (y > 200 && (x == 0 || x == 1)) return wrapped(t, x);
    if (y > 200 && x == -1) return wrapped(t, y % 2 ? -1 : 1);
    if (y > 200 && x % 2 == 0) return 0;
    for (auto factor = static_cast<unsigned __int128>(x); y > 0; y /= 2, factor *= factor)
      if (y % 2) result *= factor;
    return wrapped(t, result);
  }
  case opcode::negative:
    return wrapped(t, -x);
  case opcode::abs:
    return wrapped(t, x < 0 ? -x : x);
  case opcode::sign:
    return wrapped(t, x < 0 ? -1 : x > 0);
  case opcode::square:
    return t == dtype::boolean ? number(x) : wrapped(t, product(x, x));
  case opcode::pow_3:
    return integer_result(opcode::pow, t, x, 3, bits);
  case opcode::pow_4:
    return integer_result(opcode::pow, t, x, 4, bits);
  case opcode::bitwise_and:
    return wrapped(t, x & y);
  case opcode::bitwise_or:
    return wrapped(t, x | y);
  case opcode::bitwise_xor:
    return wrapped(t, x ^ y);
  case opcode::bitwise_invert:
    return t == dtype::boolean ? number(x == 0) : wrapped(t, ~x);
  case opcode::bitwise_left_shift:
    return y < 0 || y >= bits ? number(0) : wrapped(t, product(x, __int128{1} << int(y)));
  case opcode::bitwise_right_shift:
    return y < 0 ? number(0) : wrapped(t, y >= bits ? (x < 0 ? -1 : 0) : x >> int(y));
  case opcode::numpy_bitwise_right_shift:
    return wrapped(t, y < 0 || y >= bits ? (x < 0 ? -1 : 0) : x >> int(y));
  case opcode::numpy_reciprocal:
    if (x == 0) return t == dtype::int32 || t == dtype::int64 ? wrapped(t, __int128{1} << (bits - 1)) : number(0);
    return wrapped(t, 1 / x);
  case opcode::gcd:
    return wrapped(t, divisor(x, y));
  case opcode::lcm:
    return x == 0 || y == 0 ? number(0) : wrapped(t, product(x / divisor(x, y), y) * ((x < 0) == (y < 0) ? 1 : -1));
  case opcode::bitwise_count:
    return __builtin_popcountll(static_cast<std::uint64_t>(x < 0 ? -x : x));
  case opcode::imag:
    return 0;
  default:
    return static_cast<long double>(x);  // rounding, parts
  }
}

/// The power series up to 30, above the asymptotic series, whose smallest term is below 1e-25 there.
long double bessel_i0(long double x) {
  x = std::fabs(x);
  long double sum = 1, term = 1;
  if (x <= 30) {
    for (int k = 1; k < 120; ++k) sum += term *= x * x / 4 / k / k;
    return sum;
  }
  for (int k = 1; k < 50; ++k) sum += term *= (2 * k - 1.0L) * (2 * k - 1) / (8 * x * k);
  return std::isinf(x) ? x : sum * std::exp(x - std::log(2 * std::numbers::pi_v<long double> * x) / 2);
}

number real_result(opcode code, long double x, long double y) {
  if (const auto special = special_result(code, x, y)) return *special;
  switch (code) {
  case opcode::add:
    return x + y;
  case opcode::subtract:
    return x - y;
  case opcode::multiply:
    return x * y;
  case opcode::divide:
    return x / y;
  case opcode::floor_divide: {
    if (y == 0) return x / y;
    if (std::isinf(x) || std::isinf(y)) return std::floor(x / y);  // as dpctl's tests require
    const long double rest = std::fmod(x, y);
    const long double quotient = (x - rest) / y;
    return rest != 0 && (rest < 0) != (y < 0) ? quotient - 1 : quotient;
  }
  case opcode::numpy_floor_divide: {  // as Python's float.__floordiv__: from the remainder, NaN for an infinite x
    if (y == 0) return x / y;
    const long double rest = std::fmod(x, y);
    const long double quotient = (x - rest) / y;
    return rest != 0 && (rest < 0) != (y < 0) ? quotient - 1 : quotient;
  }
  case opcode::remainder: {
    const long double rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  }
  case opcode::fmod:
    return std::fmod(x, y);
  case opcode::pow:
    return std::pow(x, y);
  case opcode::negative:
    return -x;
  case opcode::abs:
  case opcode::fabs:
    return std::fabs(x);
  case opcode::sign:
    return std::isnan(x) ? x : static_cast<long double>((x > 0) - (x < 0));
  case opcode::square:
    return x * x;
  case opcode::pow_3:
    return std::pow(x, 3.0L);
  case opcode::pow_4:
    return std::pow(x, 4.0L);
  case opcode::pow_minus_2:
    return std::pow(x, -2.0L);
  case opcode::pow_half:
    return std::pow(x, 0.5L);
  case opcode::pow_minus_half:
    return std::pow(x, -0.5L);
  case opcode::pow_3_halves:
    return std::pow(x, 1.5L);
  case opcode::pow_minus_3_halves:
    return std::pow(x, -1.5L);
  case opcode::reciprocal:
    return 1 / x;
  case opcode::floor:
    return std::floor(x);
  case opcode::ceil:
    return std::ceil(x);
  case opcode::trunc:
    return std::trunc(x);
  case opcode::round:
    return std::nearbyint(x);
  case opcode::exp:
    return std::exp(x);
  case opcode::exp2:
    return std::exp2(x);
  case opcode::expm1:
    return std::expm1(x);
  case opcode::log:
    return std::log(x);
  case opcode::log2:
    return std::log2(x);
  case opcode::log10:
    return std::log10(x);
  case opcode::log1p:
    return std::log1p(x);
  case opcode::sqrt:
    return std::sqrt(x);
  case opcode::rsqrt:
    return 1 / std::sqrt(x);
  case opcode::cbrt:
    return std::cbrt(x);
  case opcode::hypot:
    return std::hypot(x, y);
  case opcode::logaddexp:
    if (x == y) return x + std::log(2.0L);
    return std::isnan(x) || std::isnan(y) ? nan : std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
  case opcode::sin:
    return std::sin(x);
  case opcode::cos:
    return std::cos(x);
  case opcode::tan:
    return std::tan(x);
  case opcode::asin:
    return std::asin(x);
  case opcode::acos:
    return std::acos(x);
  case opcode::atan:
    return std::atan(x);
  case opcode::atan2:
    return std::atan2(x, y);
  case opcode::sinh:
    return std::sinh(x);
  case opcode::cosh:
    return std::cosh(x);
  case opcode::tanh:
    return std::tanh(x);
  case opcode::asinh:
    return std::asinh(x);
  case opcode::acosh:
    return std::acosh(x);
  case opcode::atanh:
    return std::atanh(x);
  case opcode::erf:
    return std::erf(x);
  case opcode::erfc:
    return std::erfc(x);
  case opcode::tgamma:
    return std::tgamma(x);
  case opcode::lgamma:
    return std::lgamma(x);
  case opcode::copysign:
    return std::copysign(x, y);
  case opcode::numpy_reciprocal:
    return 1 / x;
  case opcode::rint:
    return std::nearbyint(x);
  case opcode::logaddexp2:
    if (x == y) return x + 1;
    return std::isnan(x) || std::isnan(y) ? nan : std::fmax(x, y) + std::log2(1 + std::exp2(-std::fabs(x - y)));
  case opcode::float_power:
    return std::pow(x, y);
  case opcode::heaviside:
    return std::isnan(x) ? nan : x == 0 ? y : x > 0 ? 1 : 0;
  case opcode::degrees:
    return x * 180 / std::numbers::pi_v<long double>;
  case opcode::radians:
    return x * std::numbers::pi_v<long double> / 180;
  case opcode::ldexp:
    return std::ldexp(x, static_cast<int>(std::clamp(y, -100000.0L, 100000.0L)));
  case opcode::modf_whole:
    return std::trunc(x);
  case opcode::modf_fraction: {
    long double whole;
    return std::modf(x, &whole);
  }
  case opcode::frexp_mantissa:
  case opcode::frexp_exponent: {
    int exponent = 0;
    const long double mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : x;
    return code == opcode::frexp_mantissa ? mantissa : exponent;
  }
  case opcode::i0:
    return bessel_i0(x);
  case opcode::imag:
    return 0;
  default:
    return x;
  }
}

number complex_result(opcode code, number x, number y) {
  switch (code) {
  case opcode::add:
    return x + y;
  case opcode::subtract:
    return x - y;
  case opcode::multiply:  // the plain formula, as in NumPy, without Annex G's rules for infinities
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  case opcode::square:
    return complex_result(opcode::multiply, x, x);
  case opcode::pow_3:
    return complex_result(opcode::multiply, complex_result(opcode::multiply, x, x), x);
  case opcode::pow_4:
    return complex_result(opcode::square, complex_result(opcode::multiply, x, x), {});
  case opcode::divide:
    return x / y;
  case opcode::reciprocal:
    return number(1) / x;
  case opcode::pow:
  case opcode::float_power:
    return std::pow(x, y);
  case opcode::numpy_reciprocal:
    return number(1) / x;
  case opcode::negative:
    return -x;
  case opcode::abs:
    return std::abs(x);
  case opcode::sign:
    return x == number(0) ? x : x / std::abs(x);
  case opcode::round:
  case opcode::rint:
    return {std::nearbyint(x.real()), std::nearbyint(x.imag())};
  case opcode::exp:
    return std::exp(x);
  case opcode::exp2:
    return std::exp(x * std::log(2.0L));
  case opcode::expm1: {
    const long double half_sine = std::sin(x.imag() / 2);
    return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * half_sine * half_sine,
            std::exp(x.real()) * std::sin(x.imag())};
  }
  case opcode::log:
    return std::log(x);
  case opcode::log2:
    return std::log(x) / std::log(2.0L);
  case opcode::log10:
    return std::log(x) / std::log(10.0L);
  case opcode::log1p:
    return std::log(number(1) + x);
  case opcode::sqrt:
    return std::sqrt(x);
  case opcode::sin:
    return std::sin(x);
  case opcode::cos:
    return std::cos(x);
  case opcode::tan:
    return std::tan(x);
  case opcode::asin:
    return std::asin(x);
  case opcode::acos:
    return std::acos(x);
  case opcode::atan:
    return std::atan(x);
  case opcode::sinh:
    return std::sinh(x);
  case opcode::cosh:
    return std::cosh(x);
  case opcode::tanh:
    return std::tanh(x);
  case opcode::asinh:
    return std::asinh(x);
  case opcode::acosh:
    return std::acosh(x);
  case opcode::atanh:
    return std::atanh(x);
  case opcode::conj:
    return std::conj(x);
  case opcode::real:
    return x.real();
  case opcode::imag:
    return x.imag();
  case opcode::proj:
    return std::proj(x);
  case opcode::angle:
    return std::arg(x);
  default:
    return x;
  }
}

/// The next number of a floating-point type after x towards y.
long double next_number(dtype t, long double x, long double y) {
  if (std::isnan(x) || std::isnan(y)) return nan;
  if (x == y) return y;
  const precision p = precision_of(t);
  const bool up = y > x;
  const int exponent = x == 0 ? p.least_exponent : std::max(std::ilogb(x), p.least_exponent);
  if (std::isinf(x)) return std::copysign(std::ldexp(2 - std::ldexp(1.0L, -p.mantissa_bits), p.largest_exponent), x);
  // below a power of two the numbers are twice as dense
  const bool at_power = std::fabs(x) == std::ldexp(1.0L, exponent) && exponent > p.least_exponent;
  const bool towards_zero = (x > 0) != up;
  const long double unit = std::ldexp(1.0L, exponent - p.mantissa_bits - (at_power && towards_zero ? 1 : 0));
  return up ? x + unit : x - unit;
}

/// The angles are rounded to the type in which they are computed: near a root of sine that decides.
number rounded_sinc(dtype t, number x) {
  const auto angle_of = [&](long double part) -> long double {
    return t == dtype::float64 || t == dtype::complex128 ? static_cast<double>(part) * std::numbers::pi
                                                         : static_cast<float>(part) * std::numbers::pi_v<float>;
  };
  const number angle(angle_of(x.real()), angle_of(x.imag()));
  if (x == number(0)) return 1;
  return x.imag() == 0 ? number(std::sin(angle.real()) / angle.real()) : std::sin(angle) / angle;
}

number expected_result(opcode code, dtype t, number x, number y) {
  if (const auto truth = compared(code, x, y)) return *truth;
  if (const auto choice = chosen(code, x, y)) return *choice;
  if (code == opcode::sinc) return rounded_sinc(t, x);
  switch (dpep::kind_of(t)) {
  case dpep::dtype_kind::complex:
    return complex_result(code, x, y);
  case dpep::dtype_kind::real:
    if (code == opcode::nextafter) return next_number(t, x.real(), y.real());
    if (code == opcode::spacing) {  // NumPy measures float16's upwards
      const bool up = t == dtype::float16 || !(x.real() < 0);
      return std::isinf(x.real()) ? nan : next_number(t, x.real(), up ? INFINITY : -INFINITY) - x.real();
    }
    return real_result(code, x.real(), y.real());
  default:
    return integer_result(code, t, static_cast<__int128>(x.real()), static_cast<__int128>(y.real()),
                          int(dpep::size_of(t) * 8));
  }
}

long double tolerance(opcode code, dtype t) {
  const bool is_complex = dpep::kind_of(t) == dpep::dtype_kind::complex;
  if (dpep::kind_of(t) != dpep::dtype_kind::real && !is_complex) return 0;
  const bool is_half = t == dtype::float16;
  if (const auto special = special_tolerance(code)) return *special;
  switch (code) {
  case opcode::add:
  case opcode::subtract:
  case opcode::divide:
  case opcode::reciprocal:
  case opcode::numpy_reciprocal:
  case opcode::sqrt:
  case opcode::multiply:
  case opcode::square:
    return is_complex ? 4 : 0.5001L;
  case opcode::floor_divide:
  case opcode::numpy_floor_divide:
  case opcode::remainder:
    return 1;
  case opcode::i0:
    return is_half ? 0.51L : 4;
  case opcode::ldexp:
    return 0.5001L;
  case opcode::pow_3:
  case opcode::pow_4:
  case opcode::pow_minus_2:
  case opcode::pow_half:
  case opcode::pow_minus_half:
  case opcode::pow_3_halves:
  case opcode::pow_minus_3_halves:
    return is_half ? 0.51L : is_complex ? 12 : 3;
  case opcode::pow:
  case opcode::float_power:
    return is_half ? 0.51L : is_complex ? 200 : 3;
  case opcode::lgamma:
  case opcode::tgamma:
    return is_half ? 0.6L : 12;
  case opcode::logaddexp:
    return is_half ? 0.51L : 3;
  case opcode::logaddexp2:
    return is_half ? 0.51L : 6;
  case opcode::sinc:
    return is_half ? 0.51L : is_complex ? 12 : 2;
  case opcode::rsqrt:
    return is_half ? 0.51L : 1.5L;
  case opcode::negative:
  case opcode::positive:
  case opcode::fabs:
  case opcode::floor:
  case opcode::ceil:
  case opcode::trunc:
  case opcode::round:
  case opcode::rint:
  case opcode::heaviside:
  case opcode::spacing:
  case opcode::modf_whole:
  case opcode::modf_fraction:
  case opcode::frexp_mantissa:
  case opcode::frexp_exponent:
  case opcode::copysign:
  case opcode::nextafter:
  case opcode::conj:
  case opcode::real:
  case opcode::imag:
  case opcode::proj:
  case opcode::maximum:
  case opcode::minimum:
  case opcode::fmax:
  case opcode::fmin:
  case opcode::fmod:
    return 0;
  case opcode::abs:
    return is_complex ? 2 : 0;
  default:
    return is_half ? 0.51L : is_complex ? 6 : 2;
  }
}

TEST(blocks_reference, reads_halves) {
  const std::uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00};
  const long double values[] = {1, -2, 0x1p-24L, 65504, INFINITY};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(value_of(dtype::float16, &halves[i]).real(), values[i]);
}

TEST(blocks_reference, measures_in_units_of_the_last_place) {
  EXPECT_EQ(distance(dtype::float64, 1.0L + 0x1p-52L, 1.0L), 1);
  EXPECT_EQ(distance(dtype::float32, INFINITY, 0x1p128L), 0);
  EXPECT_EQ(distance(dtype::float32, 1, std::numeric_limits<long double>::quiet_NaN()), INFINITY);
}

}  // namespace blocks_test
