// Philox, a random number generator without state: ten rounds of multiplication turn a counter and a key into four
// random words. Philox4x32-10 has words of 32 bits, which vectors multiply; Philox4x64-10, which is NumPy's, of 64
// bits.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011).
#pragma once

#include "device/math/number.hpp"

namespace dpep::device::random {

/// Words of 32 bits are in the lower half of 64 bits each: a multiplication of vectors takes them from there.
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

/// The upper 64 bits of a product.
DPEP_INLINE std::uint64_t high_product(std::uint64_t x, std::uint64_t y) {
  return std::uint64_t(static_cast<unsigned __int128>(x) * y >> 64);
}

DPEP_INLINE four_words philox64(four_words counter, two_words key) {
  constexpr std::uint64_t first = 0xd2e7470ee14c6c93, second = 0xca5a826395121157;
  auto [a, b, c, d] = counter;
#pragma clang loop unroll(full)
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t upper = high_product(second, c), lower = high_product(first, a);
    const std::uint64_t x = second * c, y = first * a;
    a = upper ^ b ^ key.a, b = x;
    c = lower ^ d ^ key.b, d = y;
    key = {key.a + 0x9e3779b97f4a7c15, key.b + 0xbb67ae8584caa73b};
  }
  return {a, b, c, d};
}

}  // namespace dpep::device::random
