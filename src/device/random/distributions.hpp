// Distributions of random numbers: two numbers from each block of Philox, by its index and the key.
#pragma once

#include "device/math/log.hpp"
#include "device/math/trigonometry.hpp"
#include "device/random/philox.hpp"

namespace dpep::device::random {

/// A number in [0, 1) with 53 random bits: the upper 27 of one word and the upper 26 of another.
DPEP_INLINE double unit_number(std::uint64_t upper, std::uint64_t lower) {
  // The last mantissa bit of 2^25 weighs 2^-27, that of 1/2 2^-53. All sums are exact.
  const double above = number(bits(0x1p25) | std::int64_t(upper >> 5));
  const double below = number(bits(0x1p-1) | std::int64_t(lower >> 6));
  return (above - (0x1p25 + 0.5)) + below;
}

/// Numbers that are uniformly distributed in [0, 1).
DPEP_INLINE pair<double> uniform(std::uint64_t block, std::uint64_t key) {
  const two_words counter = words_of(block);
  const auto [a, b, c, d] = philox({counter.a, counter.b, 0, 0}, words_of(key));
  return {unit_number(a, b), unit_number(c, d)};
}

/// Numbers of the standard normal distribution, by the Box-Muller transform: a radius and an angle.
DPEP_INLINE pair<double> normal(std::uint64_t block, std::uint64_t key) {
  const auto [x, y] = uniform(block, key);
  const double radius = square_root(-2 * log(1 - x)), angle = 0x1.921fb54442d18p2 * y;
  return {radius * cos(angle), radius * sin(angle)};
}

}  // namespace dpep::device::random
