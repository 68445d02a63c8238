// Philox4x32-10, a random number generator without state: ten rounds of multiplication turn a counter of 128 bits and a
// key of 64 bits into four random words of 32 bits.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
#pragma once

#include "device/math/number.hpp"

namespace dpep::device::random {

/// Words of 32 bits, each in the lower half of 64 bits: a multiplication of vectors takes them from there.
struct four_words {
  std::uint64_t a, b, c, d;
};
struct two_words {
  std::uint64_t a, b;
};

DPEP_INLINE std::uint64_t low_word(std::uint64_t x) { return x & 0xffffffff; }
DPEP_INLINE two_words words_of(std::uint64_t x) { return {low_word(x), x >> 32}; }

DPEP_INLINE four_words philox(four_words counter, two_words key) {
  auto [a, b, c, d] = counter;
#pragma clang loop unroll(full)
  for (int round = 0; round < 10; ++round) {
    // Upper halves are cleared only here, which is part of the multiplication, and at the end.
    const std::uint64_t x = 0xd2511f53 * low_word(a), y = 0xcd9e8d57 * low_word(c);
    a = (y >> 32) ^ b ^ key.a, b = y;
    c = (x >> 32) ^ d ^ key.b, d = x;
    key = {key.a + 0x9e3779b9, key.b + 0xbb67ae85};
  }
  return {low_word(a), low_word(b), low_word(c), low_word(d)};
}

}  // namespace dpep::device::random
