// Random numbers of elements from streams: each element has blocks of four random words of its own, by its number, a
// key and the number of the attempt. So methods with rejection run element by element, and results do not depend on the
// division of work.
//
// A distribution is a class that is constructed from the parameters. `attempt` makes a number of a block, or rejects
// it. Where most numbers need less computation, `quick` accepts those only. attempt, or quick, is vectorised if it has
// no branches. `choose` calls a function with the method for the parameters.
#pragma once

#include "device/random/philox.hpp"
#include "device/random/polar.hpp"

#define DPEP_MEMBER [[gnu::always_inline]]  // of classes, as DPEP_INLINE of functions

namespace dpep::device::random {

template <class T> struct outcome {
  T value;
  bool accepted;
};

DPEP_INLINE four_words block_of(std::uint64_t element, std::uint64_t key, std::uint64_t attempt) {
  const two_words number = words_of(element);
  return philox({number.a, number.b, attempt, 0}, words_of(key));
}

/// The element's number: the first attempt that is not rejected, from `attempt` on.
template <class D>
DPEP_INLINE auto first_accepted(const D &of, std::uint64_t element, std::uint64_t key, std::uint64_t attempt = 0) {
  for (;; ++attempt) {
    const auto made = of.attempt(block_of(element, key, attempt));
    if (made.accepted) return made.value;
  }
}

/// A number in [0, 1) with 53 random bits: the upper 27 of one word and the upper 26 of another.
DPEP_INLINE double unit_number(std::uint64_t upper, std::uint64_t lower) {
  // The last mantissa bit of 2^25 weighs 2^-27, that of 1/2 2^-53. All sums are exact.
  const double above = number(bits(0x1p25) | std::int64_t(upper >> 5));
  const double below = number(bits(0x1p-1) | std::int64_t(lower >> 6));
  return (above - (0x1p25 + 0.5)) + below;
}
/// A number in (0, 1) with the 32 bits of a word.
DPEP_INLINE double open_unit(std::uint64_t word) {
  return (number(bits(0x1p52) | std::int64_t(word)) - (0x1p52 - 0.5)) * 0x1p-32;
}

/// A number of the standard normal distribution by the Box-Muller transform, with 53 bits for the radius and 32 for the
/// angle.
DPEP_INLINE double normal_of(std::uint64_t upper, std::uint64_t lower, std::uint64_t angle) {
  return normal_radius(unit_number(upper, lower)) * direction_of(open_unit(angle)).high;
}

/// The pair of an element: elements 2 n - 1 and 2 n have the pair n, as a new generator's first element is 1.
DPEP_INLINE std::uint64_t pair_of(std::uint64_t element) { return (element + 1) / 2; }

/// Numbers that are uniformly distributed in [0, 1): those of two neighbouring elements.
DPEP_INLINE pair<double> uniform_pair(std::uint64_t number, std::uint64_t key) {
  const auto [a, b, c, d] = block_of(number, key, 0);
  return {unit_number(a, b), unit_number(c, d)};
}

DPEP_INLINE double uniform(std::uint64_t element, std::uint64_t key) {
  const auto numbers = uniform_pair(pair_of(element), key);
  return element % 2 ? numbers.high : numbers.low;
}

/// The numbers of two adjacent elements, which are of one pair if the first one is odd. The loop has one copy of `of`.
template <pair<double> (*of)(std::uint64_t, std::uint64_t)>
DPEP_INLINE void adjacent_pair(double *to, std::uint64_t element, std::uint64_t key) {
  const bool in_two = element % 2 == 0;
  pair<double> before{}, last{};
#pragma clang loop unroll(disable)
  for (std::uint64_t n = 0; n <= std::uint64_t(in_two); ++n) before = last, last = of(pair_of(element) + n, key);
  to[0] = in_two ? before.low : last.high;
  to[1] = in_two ? last.high : last.low;
}

}  // namespace dpep::device::random
