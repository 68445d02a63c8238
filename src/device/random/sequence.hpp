// The sequence of numpy.random.Philox, by position: word n is computed from n, the key and the counter.
#pragma once

#include "device/math/number.hpp"
#include "device/random/philox.hpp"

namespace dpep::device::random {

/// A generator's key, and the counter of the block that has the words 0 to 3.
struct sequence {
  two_words key;
  four_words counter;
};

/// The counter of a block, a number of 256 bits.
DPEP_INLINE four_words counter_of(const sequence &s, std::uint64_t block) {
  const std::uint64_t a = s.counter.a + block, b = s.counter.b + (a < block);
  const std::uint64_t c = s.counter.c + std::uint64_t(both(b != s.counter.b, b == 0));
  const std::uint64_t d = s.counter.d + std::uint64_t(both(c != s.counter.c, c == 0));
  return {a, b, c, d};
}

DPEP_INLINE four_words block_of(const sequence &s, std::uint64_t block) {
  return philox64(counter_of(s, block), s.key);
}

DPEP_INLINE std::uint64_t word_of(const sequence &s, std::uint64_t position) {
  const auto [a, b, c, d] = block_of(s, position / 4);
  return position & 2 ? (position & 1 ? d : c) : (position & 1 ? b : a);
}

/// NumPy's number in [0, 1) with 53 random bits.
DPEP_INLINE double unit_of_word(std::uint64_t word) { return double(std::int64_t(word >> 11)) * 0x1p-53; }
/// NumPy's number in [0, 1) with 24 random bits.
DPEP_INLINE float unit_of_half(std::uint32_t half) { return float(std::int32_t(half >> 8)) * 0x1p-24f; }

/// A half of a word; the lower half comes first. A half that an earlier call left, if there is one, precedes them.
DPEP_INLINE std::uint32_t half_of(const sequence &s, std::uint64_t index, std::uint64_t first, std::uint64_t pending) {
  if (pending && index == 0) return std::uint32_t(pending);
  const std::uint64_t position = first + index - (pending ? 1 : 0);
  return std::uint32_t(word_of(s, position / 2) >> (position % 2 * 32));
}

/// A block of words and, if wanted, the next one. The loop has one copy of the code of a block.
struct two_blocks {
  four_words first{}, second{};

  [[gnu::always_inline]] two_blocks(const sequence &s, std::uint64_t block, bool both_wanted) {
#pragma clang loop unroll(disable)
    for (std::uint64_t n = 0; n <= std::uint64_t(both_wanted); ++n) {
      const four_words made = block_of(s, block + n);
      if (n == 0) first = made;
      second = made;
    }
  }
};

/// Four adjacent words. Those of one block take half the work of others.
DPEP_INLINE four_words words_from(const sequence &s, std::uint64_t position) {
  auto [w, next] = two_blocks(s, position / 4, position % 4 != 0);
  if (position % 4 == 0) return w;
  const bool two = position & 2;
  const std::uint64_t fifth = two ? next.c : next.a;
  if (two) w = {w.c, w.d, next.a, next.b};
  if (position & 1) w = {w.b, w.c, w.d, fifth};
  return w;
}

/// Eight adjacent halves as four words; position -1 is that of a pending half, which the caller replaces.
DPEP_INLINE four_words halves_from(const sequence &s, std::int64_t position) {
  auto [w, next] = two_blocks(s, std::uint64_t(position >> 3), (position & 7) != 0);
  if ((position & 7) == 0) return w;
  std::uint64_t fifth = next.a;
  if (position & 4) w = {w.c, w.d, next.a, next.b}, fifth = next.c;
  if (position & 2) w = {w.b, w.c, w.d, fifth}, fifth = position & 4 ? next.d : next.b;
  if (position & 1) w = {w.a >> 32 | w.b << 32, w.b >> 32 | w.c << 32, w.c >> 32 | w.d << 32, w.d >> 32 | fifth << 32};
  return w;
}

#define DPEP_SEQUENCE                                                                                                  \
  std::uint64_t index, std::uint64_t first, std::uint64_t key0, std::uint64_t key1, std::uint64_t counter0,            \
      std::uint64_t counter1, std::uint64_t counter2, std::uint64_t counter3
#define DPEP_SEQUENCE_HERE                                                                                             \
  sequence {                                                                                                           \
    {key0, key1}, { counter0, counter1, counter2, counter3 }                                                           \
  }
DPEP_INLINE std::uint64_t words64(DPEP_SEQUENCE) { return word_of(DPEP_SEQUENCE_HERE, first + index); }
DPEP_INLINE std::uint32_t words32(DPEP_SEQUENCE, std::uint64_t pending) {
  return half_of(DPEP_SEQUENCE_HERE, index, first, pending);
}
DPEP_INLINE double uniform_float64(DPEP_SEQUENCE) { return unit_of_word(word_of(DPEP_SEQUENCE_HERE, first + index)); }
DPEP_INLINE float uniform_float32(DPEP_SEQUENCE, std::uint64_t pending) {
  return unit_of_half(half_of(DPEP_SEQUENCE_HERE, index, first, pending));
}

// The numbers of adjacent elements, from `index` on, whose number is that of a block's words or halves.

DPEP_INLINE void words64_adjacent(std::uint64_t *to, DPEP_SEQUENCE) {
  const four_words w = words_from(DPEP_SEQUENCE_HERE, first + index);
  to[0] = w.a, to[1] = w.b, to[2] = w.c, to[3] = w.d;
}
DPEP_INLINE void words32_adjacent(std::uint32_t *to, DPEP_SEQUENCE, std::uint64_t pending) {
  const auto [a, b, c, d] = halves_from(DPEP_SEQUENCE_HERE, std::int64_t(first + index) - (pending ? 1 : 0));
  to[0] = pending && index == 0 ? std::uint32_t(pending) : std::uint32_t(a), to[1] = std::uint32_t(a >> 32);
  to[2] = std::uint32_t(b), to[3] = std::uint32_t(b >> 32);
  to[4] = std::uint32_t(c), to[5] = std::uint32_t(c >> 32);
  to[6] = std::uint32_t(d), to[7] = std::uint32_t(d >> 32);
}
DPEP_INLINE void uniform_float64_adjacent(double *to, DPEP_SEQUENCE) {
  const four_words w = words_from(DPEP_SEQUENCE_HERE, first + index);
  to[0] = unit_of_word(w.a), to[1] = unit_of_word(w.b), to[2] = unit_of_word(w.c), to[3] = unit_of_word(w.d);
}
DPEP_INLINE void uniform_float32_adjacent(float *to, DPEP_SEQUENCE, std::uint64_t pending) {
  std::uint32_t halves[8];
  words32_adjacent(halves, index, first, key0, key1, counter0, counter1, counter2, counter3, pending);
#pragma clang loop unroll(full)
  for (int k = 0; k < 8; ++k) to[k] = unit_of_half(halves[k]);
}
#undef DPEP_SEQUENCE
#undef DPEP_SEQUENCE_HERE

// D. Lemire: Fast random integer generation in an interval (2019). `threshold` is 2^64 (2^32) modulo `count`.
DPEP_INLINE std::uint64_t bounded_word64(std::uint64_t word, std::uint64_t count) { return high_product(word, count); }
DPEP_INLINE std::uint8_t is_rejected64(std::uint64_t word, std::uint64_t count, std::uint64_t threshold) {
  return word * count < threshold;
}
DPEP_INLINE std::uint32_t bounded_word32(std::uint32_t word, std::uint32_t count) {
  return std::uint32_t(std::uint64_t(word) * count >> 32);
}
DPEP_INLINE std::uint8_t is_rejected32(std::uint32_t word, std::uint32_t count, std::uint32_t threshold) {
  return word * count < threshold;
}

DPEP_INLINE std::int64_t accepted_word64(std::uint64_t word, std::uint64_t count, std::uint64_t threshold) {
  return is_rejected64(word, count, threshold) ? -1 : std::int64_t(bounded_word64(word, count));
}
DPEP_INLINE std::int64_t accepted_word32(std::uint32_t word, std::uint32_t count, std::uint32_t threshold) {
  return is_rejected32(word, count, threshold) ? -1 : std::int64_t(bounded_word32(word, count));
}

}  // namespace dpep::device::random
