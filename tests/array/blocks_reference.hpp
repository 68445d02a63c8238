// References for operations on elements: results computed one at a time in long double or 128-bit integers by the
// standard library, and tolerances.
#pragma once

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <dpep/array_operations.hpp>

namespace blocks_test {

using dpep::dtype;
using dpep::array::opcode;

using number = std::complex<long double>;

/// An element as a long double, exact for integers up to 64 bits, floats and their parts.
inline number value_of(dtype t, const void *at) {
  const auto as = [&]<class T>(T x) {
    std::memcpy(&x, at, sizeof x);
    return x;
  };
  switch (t) {
  case dtype::boolean:
    return as(std::uint8_t{}) != 0;
  case dtype::int8:
    return as(std::int8_t{});
  case dtype::uint8:
    return as(std::uint8_t{});
  case dtype::int16:
    return as(std::int16_t{});
  case dtype::uint16:
    return as(std::uint16_t{});
  case dtype::int32:
    return as(std::int32_t{});
  case dtype::uint32:
    return as(std::uint32_t{});
  case dtype::int64:
    return as(std::int64_t{});
  case dtype::uint64:
    return as(std::uint64_t{});
  case dtype::float16: {
    const std::uint16_t bits = as(std::uint16_t{});
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const long double sign = bits >> 15 ? -1 : 1;
    if (exponent == 31) return mantissa ? std::numeric_limits<long double>::quiet_NaN() : sign * INFINITY;
    return sign *
           std::ldexp(static_cast<long double>(exponent ? mantissa + 1024 : mantissa), (exponent ? exponent : 1) - 25);
  }
  case dtype::float32:
    return as(float{});
  case dtype::float64:
    return as(double{});
  case dtype::complex64:
    return number(as(std::complex<float>{}));
  case dtype::complex128:
    return number(as(std::complex<double>{}));
  }
  return {};
}

struct precision {
  int mantissa_bits, least_exponent, largest_exponent;
};
inline precision precision_of(dtype t) {
  switch (dpep::real_of(t)) {
  case dtype::float16:
    return {10, -14, 15};
  case dtype::float32:
    return {23, -126, 127};
  default:
    return {52, -1022, 1023};
  }
}

/// The distance of two real numbers in units in the last place of the expected one.
inline long double distance(dtype t, long double got, long double expected) {
  if (std::isnan(expected)) return std::isnan(got) ? 0 : INFINITY;
  const precision p = precision_of(t);
  const long double limit = std::ldexp(1.0L, p.largest_exponent + 1);
  const long double unit_at_limit = std::ldexp(1.0L, p.largest_exponent - p.mantissa_bits);
  if (std::fabs(expected) >= limit - unit_at_limit / 2) {
    if (std::isinf(got)) return std::signbit(got) == std::signbit(expected) ? 0 : INFINITY;
    expected = std::copysign(std::fmin(std::fabs(expected), limit), expected);
  }
  if (got == expected) return 0;
  if (std::isinf(got)) got = std::copysign(limit, got);
  const int exponent = expected == 0 ? p.least_exponent : std::max(std::ilogb(expected), p.least_exponent);
  const long double difference = std::fabs(got - expected) / std::ldexp(1.0L, exponent - p.mantissa_bits);
  return std::isnan(difference) ? INFINITY : difference;
}

/// The distance of complex numbers, relative to the larger part.
inline long double distance(dtype t, number got, number expected) {
  if (dpep::kind_of(t) != dpep::dtype_kind::complex) return distance(t, got.real(), expected.real());
  const bool unusual = !std::isfinite(expected.real()) || !std::isfinite(expected.imag());
  if (unusual) return std::max(distance(t, got.real(), expected.real()), distance(t, got.imag(), expected.imag()));
  const precision p = precision_of(t);
  const long double larger = std::fmax(std::fabs(expected.real()), std::fabs(expected.imag()));
  const int exponent = larger == 0 ? p.least_exponent : std::max(std::ilogb(larger), p.least_exponent);
  const long double unit = std::ldexp(1.0L, exponent - p.mantissa_bits);
  const long double off =
      std::fmax(std::fabs(got.real() - expected.real()), std::fabs(got.imag() - expected.imag())) / unit;
  return std::isnan(off) ? INFINITY : off;
}

/// An element of a number: integers wrap, bool is its truth value.
template <class I> number wrapped(dtype t, I x) {
  switch (t) {
  case dtype::boolean:
    return x != 0;
  case dtype::int8:
    return static_cast<std::int8_t>(x);
  case dtype::uint8:
    return static_cast<std::uint8_t>(x);
  case dtype::int16:
    return static_cast<std::int16_t>(x);
  case dtype::uint16:
    return static_cast<std::uint16_t>(x);
  case dtype::int32:
    return static_cast<std::int32_t>(x);
  case dtype::uint32:
    return static_cast<std::uint32_t>(x);
  case dtype::int64:
    return static_cast<std::int64_t>(x);
  default:
    return static_cast<std::uint64_t>(x);
  }
}

number integer_result(opcode, dtype, __int128 x, __int128 y, int bits);
number real_result(opcode, long double x, long double y);
number complex_result(opcode, number x, number y);

/// The result for operands of type `t` (or of mixed types), as accurate as long double.
number expected_result(opcode, dtype t, number x, number y);

/// The tolerance in units in the last place; none where results are unspecified (a NaN's sign and the like are not
/// compared).
long double tolerance(opcode, dtype t);

}  // namespace blocks_test
