// Uniformly distributed integers of NumPy's generators, by Lemire's method with rejections, in one pass.
//
// A work-group draws the words of a tile and keeps the accepted integers in local memory. The number of those before
// the tile follows from what the work-groups of earlier tiles publish (Merrill, Garland: Single-pass parallel prefix
// scan with decoupled look-back, 2016). Work-groups take tiles in order, so that each waits only for others that are
// running.
#include <cstddef>
#include <cstdint>

#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"
#include "device/random/sequence.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

constexpr std::int32_t device_scope = 3;  // sycl::memory_scope::device
constexpr unsigned blocks_each = 2;       // of Philox for a work-item, as in array/gpu/random_integers_kernel.hpp

/// The words that are drawn, and the integers that they give.
struct integer_sequence {
  device::random::sequence words;
  // Words before `start` are not drawn. One that is left from before, if any, replaces the word `start`.
  std::uint64_t start;
  bool has_pending;
  std::uint32_t pending;
  std::uint64_t first_block, count, threshold, least;
};

/// Words that work-groups publish, with the tag of the launch in the upper half: the number of integers of a tile, or
/// of all up to its end. A word is read and written atomically, so that no other ordering is needed.
class published_counts {
public:
  static constexpr std::uint32_t up_to_tile = 1u << 31, value_mask = up_to_tile - 1;

  published_counts(std::uint64_t *words, std::uint32_t tag) : words_(words), tag_(tag) {}
  void publish(std::uint32_t tile, std::uint32_t word) const {
    __atomic_store_n(at(tile), std::uint64_t(tag_) << 32 | word, __ATOMIC_RELAXED);
  }
  std::uint32_t wait_for(std::uint32_t tile) const {
    std::uint64_t word;
#pragma nounroll
    do {
      word = __atomic_load_n(at(tile), __ATOMIC_RELAXED);
    } while (word >> 32 != tag_);
    return std::uint32_t(word);
  }

private:
  std::uint64_t *const words_;
  const std::uint32_t tag_;
  std::uint64_t *at(std::uint32_t tile) const {
    return static_cast<std::uint64_t *>(__dpep_in_scope(words_ + tile, device_scope));
  }
};

/// A tile of words of 32 or 64 bits.
template <unsigned bits> class integer_tile {
  using word = std::conditional_t<bits == 32, std::uint32_t, std::uint64_t>;
  static constexpr unsigned in_block = 256 / bits, each = blocks_each * in_block;  // words

public:
  /// In local memory. Padding prevents that adjacent work-items write to the same bank.
  struct memory {
    std::uint32_t ticket, before, counts[64];
    alignas(8) word numbers[];
  };

  integer_tile(const integer_sequence &s, std::uint32_t sub_group, std::uint32_t group, memory *local)
      : sequence_(s), sub_group_size_(sub_group), group_(group), local_(local) {}

  template <class Result>
  void run(Result *to, std::uint64_t size, std::int64_t *report, std::uint64_t *published, std::uint32_t tag,
           std::uint32_t *counter, std::uint32_t tiles) {
    if (item_ == 0) {
      const std::uint32_t ticket =
          __atomic_fetch_add(static_cast<std::uint32_t *>(__dpep_in_scope(counter, device_scope)), 1, __ATOMIC_RELAXED);
      if (ticket + 1 == tiles) *counter = 0;  // for the next kernel
      local_->ticket = ticket;
    }
    __dpep_group_barrier();
    const std::uint32_t tile = local_->ticket;
    const std::uint64_t first = (std::uint64_t(tile) * group_ + item_) * each;
    word numbers[each];
    const std::uint32_t accepted = draw(first, numbers), count = std::uint32_t(__builtin_popcount(accepted));
    std::uint32_t total;
    const std::uint32_t in_tile = sum_before(count, total);
    const published_counts all(published, tag);
    if (item_ == 0) all.publish(tile, tile ? total : total | published_counts::up_to_tile);
    std::uint32_t at = in_tile;
#pragma unroll
    for (unsigned k = 0; k < each; ++k)
      if (accepted >> k & 1) local_->numbers[slot(at++)] = numbers[k];
    if (sub_group_ == 0 && tile) {
      const std::uint32_t before = sum_before_tile(all, tile);
      if (item_ == 0) {
        all.publish(tile, (before + total) | published_counts::up_to_tile);
        local_->before = before;
      }
    } else if (item_ == 0) {
      local_->before = 0;
    }
    __dpep_group_barrier();
    const std::uint64_t before = local_->before;
#pragma nounroll
    for (std::uint32_t k = item_; k < total; k += group_)
      if (before + k < size) to[before + k] = Result(local_->numbers[slot(k)] + sequence_.least);
    // the work-item that has the last integer of all
    if (before + in_tile < size && before + in_tile + count >= size) {
      std::uint32_t left = accepted;
#pragma nounroll
      for (std::uint64_t k = before + in_tile; k + 1 < size; ++k) left &= left - 1;
      *report = std::int64_t(first + std::uint64_t(__builtin_ctz(left)) - sequence_.start + 1);
    }
  }

private:
  const integer_sequence sequence_;
  const std::uint32_t sub_group_size_, group_;
  memory *const local_;
  const std::uint32_t item_ = std::uint32_t(__dpep_local_id(0)), lane_ = __dpep_sub_group_local_id();
  const std::uint32_t sub_group_ = item_ / sub_group_size_;

  static std::uint32_t slot(std::uint32_t k) { return k + k / each; }
  template <class F> void each_distance(F body) const {
#pragma unroll
    for (std::uint32_t distance = 1; distance < 64; distance *= 2)
      if (distance < sub_group_size_) body(distance);
  }

  /// The integers of the words from `first` on. Returns a bit for each, whether it is accepted.
  std::uint32_t draw(std::uint64_t first, word (&numbers)[each]) const {
    word words[each];
#pragma unroll
    for (unsigned b = 0; b < blocks_each; ++b) {
      const auto [x, y, z, w] = device::random::block_of(sequence_.words, sequence_.first_block + first / in_block + b);
      const std::uint64_t four[] = {x, y, z, w};
#pragma unroll
      for (unsigned k = 0; k < in_block; ++k)
        words[b * in_block + k] = bits == 64 ? word(four[k]) : word(four[k / 2] >> (k % 2 * 32));
    }
    std::uint32_t drawn = (1u << (each - 1) << 1) - 1;
    if (first < sequence_.start) {
      const std::uint64_t skipped = sequence_.start - first;
      drawn = skipped < each ? drawn >> skipped << skipped : 0;
    }
    if (bits == 32 && sequence_.has_pending && first <= sequence_.start && sequence_.start - first < each) {
#pragma unroll
      for (unsigned k = 0; k < each; ++k)
        if (first + k == sequence_.start) words[k] = word(sequence_.pending);
    }
    std::uint32_t accepted = 0;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      bool rejected;
      if constexpr (bits == 32) {
        const std::uint64_t product = std::uint64_t(words[k]) * std::uint32_t(sequence_.count);
        numbers[k] = word(product >> 32);
        rejected = std::uint32_t(product) < std::uint32_t(sequence_.threshold);
      } else {
        numbers[k] = device::random::high_product(words[k], sequence_.count);
        rejected = words[k] * sequence_.count < sequence_.threshold;
      }
      accepted |= rejected ? 0 : 1u << k;
    }
    return accepted & drawn;
  }

  /// The sum of the counts of the work-items before, and of all.
  std::uint32_t sum_before(std::uint32_t count, std::uint32_t &total) const {
    std::uint32_t up_to = count;
    each_distance([&](std::uint32_t distance) {
      const std::uint32_t other = __dpep_sub_group_shuffle32(up_to, lane_ - distance);
      up_to += lane_ >= distance ? other : 0;
    });
    if (lane_ == sub_group_size_ - 1) local_->counts[sub_group_] = up_to;
    __dpep_group_barrier();
    std::uint32_t before = up_to - count;
    total = 0;
#pragma nounroll
    for (std::uint32_t k = 0; k < group_ / sub_group_size_; ++k) {
      const std::uint32_t one = local_->counts[k];
      before += k < sub_group_ ? one : 0;
      total += one;
    }
    return before;
  }

  /// The number of integers before the tile; executed by one sub-group, which reads a published word for each
  /// work-item, back to a tile that has published the number up to its end.
  std::uint32_t sum_before_tile(const published_counts &all, std::uint32_t tile) const {
    std::uint32_t sum = 0, known = tile;
#pragma nounroll
    for (bool again = true; again; known -= sub_group_size_) {
      std::uint32_t word = published_counts::up_to_tile;  // before the first tile
      if (lane_ < known) word = all.wait_for(known - 1 - lane_);
      __dpep_sub_group_barrier();  // reconverges after waiting
      std::uint32_t nearest = word & published_counts::up_to_tile ? lane_ : sub_group_size_;
      each_distance([&](std::uint32_t distance) {
        const std::uint32_t other = __dpep_sub_group_shuffle32(nearest, lane_ ^ distance);
        nearest = other < nearest ? other : nearest;
      });
      std::uint32_t part = lane_ <= nearest ? word & published_counts::value_mask : 0;
      each_distance([&](std::uint32_t distance) { part += __dpep_sub_group_shuffle32(part, lane_ ^ distance); });
      sum += part;
      again = nearest == sub_group_size_;
    }
    return sum;
  }
};

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

// Stores the first `size` integers that are accepted, and in `report` the number of words that these take. Nothing in
// `report` if the words of all tiles are too few.
#define DPEP_RANDOM_INTEGERS(bits, result)                                                                             \
  DPEP_EXPORT void dpep_random_integers_##bits##_##result(                                                             \
      void *to, std::int64_t *report, std::uint64_t *published, std::uint32_t *counter, std::uint32_t tag,             \
      std::uint32_t tiles, std::uint64_t size, std::uint64_t first_block, std::uint64_t start, std::uint64_t pending,  \
      std::uint64_t key0, std::uint64_t key1, std::uint64_t counter0, std::uint64_t counter1, std::uint64_t counter2,  \
      std::uint64_t counter3, std::uint64_t count, std::uint64_t threshold, std::uint64_t least,                       \
      std::uint32_t sub_group, std::uint32_t group, void *local) {                                                     \
    using namespace dpep::array::gpu;                                                                                  \
    using tile = integer_tile<bits>;                                                                                   \
    const integer_sequence s{{{key0, key1}, {counter0, counter1, counter2, counter3}},                                 \
                             start,                                                                                    \
                             pending != 0,                                                                             \
                             std::uint32_t(pending),                                                                   \
                             first_block,                                                                              \
                             count,                                                                                    \
                             threshold,                                                                                \
                             least};                                                                                   \
    tile(s, sub_group, group, static_cast<tile::memory *>(local))                                                      \
        .run(static_cast<std::uint##result##_t *>(to), size, report, published, tag, counter, tiles);                  \
  }
DPEP_RANDOM_INTEGERS(32, 32)
DPEP_RANDOM_INTEGERS(32, 64)
DPEP_RANDOM_INTEGERS(64, 64)
