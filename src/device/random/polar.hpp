// Radius and direction of the Box-Muller transform, without the cases that uniform numbers cannot have.
#pragma once

#include "device/math/log.hpp"

namespace dpep::device::random {

/// sqrt(-2 log(1 - u)) for u in [0, 1): the distance of two normal numbers from 0.
DPEP_INLINE double normal_radius(double u) {
  const double x = 1 - u;
  if (has_fast_reciprocals()) {
    const auto [exponent, fraction] = split_ordinary(x);
    return square_root(-2 * log_of_parts(exponent, fraction));
  }
  // 64-bit operations only, as of vectors; x is neither denormal nor above 1.
  using c = log_constants<double>;
  const std::uint64_t moved = std::uint64_t(bits(x)) + std::uint64_t(c::one - c::sqrt_half);
  const std::uint64_t mantissa = moved & ((std::uint64_t{1} << 52) - 1);
  const double exponent = number(std::int64_t(moved >> 52 | std::uint64_t(bits(0x1p52)))) - (0x1p52 + 1023);
  return square_root(-2 * log_of_parts(exponent, number(std::int64_t(mantissa + std::uint64_t(c::sqrt_half))) - 1));
}

/// The cosine and the sine of a number of turns in [0, 1]. Polynomials in the square of the distance from a quarter,
/// with a relative error of 2^-55 (tools: mpmath's chebyfit on [0, 1 / 64]).
DPEP_INLINE pair<double> direction_of(double turns) {
  const double shifted = 4 * turns + format<double>::round_magic;
  const double r = turns - 0.25 * (shifted - format<double>::round_magic), z = r * r;
  const double sine =
      r * horner(z, 0x1.921fb54442d18p+2, -0x1.4abbce625be41p+5, 0x1.466bc677587f8p+6, -0x1.32d2cce2e5b19p+6,
                 0x1.50782fda12d96p+5, -0x1.e30071afc3e59p+3, 0x1.e3f38399551bfp+1);
  const double cosine =
      horner(z, 1.0, -0x1.3bd3cc9be45dep+4, 0x1.03c1f081b5aacp+6, -0x1.55d3c7e3c90f8p+6, 0x1.e1f5068355e15p+5,
             -0x1.a6d1ec7906c20p+4, 0x1.f9cc41140bb60p+2, -0x1.b264ba152378ap+0);
  // The quarter is in the low bits: odd ones exchange both, and the second bit of it, or of the next, is a sign.
  const std::int64_t quarter = bits(shifted);
  const bool odd = quarter & 1;
  const double x = odd ? sine : cosine, y = odd ? cosine : sine;
  return {number(bits(x) ^ std::int64_t(std::uint64_t(quarter + 1) << 62 & std::uint64_t{1} << 63)),
          number(bits(y) ^ std::int64_t(std::uint64_t(quarter) << 62 & std::uint64_t{1} << 63))};
}

}  // namespace dpep::device::random
