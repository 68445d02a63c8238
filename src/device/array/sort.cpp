// Stable radix sorts of rows by digits of 8 bits.
//
// Rows that are longer than a tile are sorted as in "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs"
// (Adinets and Merrill, 2022): one kernel counts all digits of all elements, and then one kernel for each digit moves
// the elements. In the latter, a work-group adds up the counts that the work-groups of earlier tiles publish.
//
// Memory holds elements, not keys: each pass computes the keys of the elements that it reads, so that -0.0 and NaNs
// keep their bits. The key of an element is a function of its dtype (keys.cpp), to which generated kernels pass a
// pointer (array/gpu/sort_kernel.cpp).
#include "device/array/scan.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

constexpr std::uint32_t digits = 256;
constexpr std::int32_t device_scope = 3;  // sycl::memory_scope::device

template <class T> T *in_device_scope(T *p) {
  return static_cast<T *>(__dpep_in_scope(const_cast<std::remove_const_t<T> *>(p), device_scope));
}

/// What is constant in a kernel.
struct sort_shape {
  std::uint32_t sub_group, group;  // work-items; sub-groups have at most 32
  bool descending, has_positions;
};

template <std::size_t bytes, std::size_t alignment> struct sort_element {
  using value = word<bytes>;
  typedef word<bytes> in_memory [[gnu::aligned(alignment)]];  // NOLINT: an alias declaration drops the attribute
};

/// The digit of an element's key that starts at a bit. Descending order is the order of complements.
template <class Element> struct digit_reader {
  void (*key)(void *, const void *);
  std::uint32_t shift;
  bool descending;

  std::uint32_t operator()(typename Element::value x) const {
    typename Element::value bits;
    key(&bits, &x);
    // the 32-bit word that has the digit, since shifts of several words are long code
    std::uint32_t word;
    if constexpr (sizeof bits == 16) {
      const std::uint64_t half = shift < 64 ? std::uint64_t(bits) : std::uint64_t(bits >> 64);
      word = shift & 32 ? std::uint32_t(half >> 32) : std::uint32_t(half);
    } else if constexpr (sizeof bits == 8) {
      word = shift < 32 ? std::uint32_t(bits) : std::uint32_t(bits >> 32);
    } else {
      word = bits;
    }
    const std::uint32_t digit = word >> (shift & 31) & 255;
    return descending ? digit ^ 255 : digit;
  }
};

/// Sets words to zero.
void clear_words(std::uint64_t *words, std::uint64_t count, std::uint32_t group, std::uint64_t groups) {
#pragma nounroll
  for (std::uint64_t k = __dpep_group_id(0) * group + __dpep_local_id(0); k < count; k += groups * group) words[k] = 0;
}

/// The number of digits that are counted. A second pass over one byte, whose digits are equal, moves elements back.
template <class Element>
constexpr unsigned counted_digits = sizeof(typename Element::value) == 1 ? 2 : sizeof(typename Element::value);

/// Adds the digits of a block of a row to `totals`, which has `digits` counts for each digit of each row. `local` has
/// the same for one row, `copies` times, so that fewer sub-groups count in the same word.
template <class Element, class Index>
void count_digits(void (*key)(void *, const void *), const typename Element::in_memory *from, Index *totals,
                  Index length, std::uint32_t rows, std::uint32_t blocks_in_row, Index block_size, sort_shape shape,
                  std::uint32_t copies, std::uint32_t *local) {
  constexpr unsigned counted = counted_digits<Element>, each = counted == 2 ? 8 : 16 / counted;
  const auto item = std::uint32_t(__dpep_local_id(0));
  const std::uint64_t group = __dpep_group_id(0), row = group / blocks_in_row;
  const Index begin = Index(group - row * blocks_in_row) * block_size;
  Index left = length - begin < block_size ? Index(length - begin) : block_size;
  std::uint32_t *const own = local + item / shape.sub_group % copies * (counted * digits);
#pragma nounroll
  for (std::uint32_t k = item; k < copies * counted * digits; k += shape.group) local[k] = 0;
  __dpep_group_barrier();
  const auto count = [&](typename Element::value x) {
#pragma unroll
    for (unsigned place = 0; place < counted; ++place) {
      const std::uint32_t d = digit_reader<Element>{key, 8 * place, shape.descending}(x);
      __atomic_fetch_add(in_device_scope(own + (place * digits + d)), 1, __ATOMIC_RELAXED);
    }
  };
  const typename Element::in_memory *at = from + (row * length + begin);
#pragma nounroll
  for (; left >= each * shape.group; left -= each * shape.group, at += each * shape.group) {
    typename Element::value loaded[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) loaded[k] = at[k * shape.group + item];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) count(loaded[k]);
  }
#pragma nounroll
  for (Index k = item; k < left; k += shape.group) count(at[k]);
  __dpep_group_barrier();
#pragma nounroll
  for (std::uint32_t k = item; k < counted * digits; k += shape.group) {
    std::uint32_t sum = 0;
#pragma nounroll
    for (std::uint32_t copy = 0; copy < copies; ++copy) sum += local[copy * (counted * digits) + k];
    if (!sum) continue;
    const std::uint32_t place = k / digits, d = k % digits;
    __atomic_fetch_add(in_device_scope(totals + ((std::uint64_t(place) * rows + row) * digits + d)), Index(sum),
                       __ATOMIC_RELAXED);
  }
}

/// What a work-group publishes of a digit of its tile: nothing yet, the count of the tile, or the place in the row
/// after the tile. The two highest bits say which. A word is read and written atomically, so that no other ordering is
/// needed.
template <class Index> struct published_count {
  static constexpr Index of_tile = Index(1) << (8 * sizeof(Index) - 2), up_to_tile = of_tile << 1;
  static constexpr Index value_mask = of_tile - 1;
};

/// A tile of a row: `each` elements of each work-item, which a work-group orders by a digit in local memory.
///
/// A sub-group has adjacent elements and ranks `sub_group` of them at a time: each work-item sets its bit in the word
/// of its digit, and the bits before its own are the equal digits before it.
template <class Element, unsigned each, class Index> class sort_tile {
  using value = typename Element::value;
  using element = typename Element::in_memory;
  using published = published_count<Index>;

public:
  sort_tile(sort_shape shape, std::byte *local) : shape_(shape) {
    // in the order of sort_local_bytes() of array/gpu/sort_kernel.cpp
    counts_ = reinterpret_cast<std::uint32_t *>(local);
    starts_ = counts_ + digits * sub_groups();
    local = reinterpret_cast<std::byte *>(starts_ + digits);
    bases_ = reinterpret_cast<Index *>(local);
    local += sizeof(Index) * digits;
    leader_words_ = reinterpret_cast<std::uint32_t *>(local);
    local += 4 * sizeof(std::uint32_t);
    sub_group_sums_ = reinterpret_cast<std::uint32_t *>(local);
    local += most_sub_group_sums * sizeof(std::uint32_t);
    // not used at the same time
    masks_ = reinterpret_cast<std::uint32_t *>(local);
    elements_ = reinterpret_cast<value *>(local);
    positions_ = reinterpret_cast<Index *>(local);
  }

  /// Moves the elements of one tile, which the next ticket selects, to their places in the order of their row by the
  /// digit. `positions` are those of the elements in their rows; null: their indices. `to` and `positions_to` may be
  /// null; `positions_out` replaces `positions_to`. `totals` counts the digits of each row. `counts` has `digits` words
  /// for each tile, which are zero; those of `next_counts`, for the next digit, become zero.
  void sweep(digit_reader<Element> digit, const element *from, element *to, const Index *positions, Index *positions_to,
             std::int64_t *positions_out, const Index *totals, Index *counts, Index *next_counts, std::uint32_t *ticket,
             Index length, std::uint32_t tiles_in_row) {
    if (item_ == 0) {
      leader_words_[0] = __atomic_fetch_add(in_device_scope(ticket), 1, __ATOMIC_RELAXED);
      leader_words_[1] = 0;
    }
    __dpep_group_barrier();
    const std::uint32_t tile = leader_words_[0], row = tile / tiles_in_row, in_row = tile - row * tiles_in_row;
    const std::uint64_t first = std::uint64_t(row) * length;
    const Index begin = Index(in_row) * tile_size(), left = length - begin;
    const std::uint32_t count = left < tile_size() ? std::uint32_t(left) : tile_size();
    value loaded[each];
    load(from + (first + begin), count, loaded);  // while the totals are read
    each_digit([&](std::uint32_t d) {
      bases_[d] = totals[std::uint64_t(row) * digits + d];
      if (bases_[d] == length) leader_words_[1] = 1;
      next_counts[std::uint64_t(tile) * digits + d] = 0;
    });
    clear_ranks();
    __dpep_group_barrier();
    const auto store_position = [&](std::uint64_t place, Index position) {
      if (positions_out)
        positions_out[place] = std::int64_t(position);
      else
        positions_to[place] = position;
    };
    if (leader_words_[1]) {  // all digits of the row are equal
      const std::uint64_t at = first + begin;
      if (to) each_existing(count, [&](unsigned k, std::uint32_t i) { to[at + i] = loaded[k]; });
      if (shape_.has_positions) {
        Index own_positions[each];
        load_positions(positions, first, begin, count, own_positions);
        each_existing(count, [&](unsigned k, std::uint32_t i) { store_position(at + i, own_positions[k]); });
      }
      return;
    }

    std::uint32_t places[each];
    Index *const own_counts = counts + std::uint64_t(tile) * digits;
    // elements after the end have the highest digit, and therefore stay last
    const std::uint32_t added = tile_size() - count;
    rank(digit, loaded, count, places, !in_row, [&](std::uint32_t d, std::uint32_t in_tile) {
      if (in_row) publish(own_counts + d, (d == digits - 1 ? in_tile - added : in_tile) | published::of_tile);
    });
#pragma unroll
    for (unsigned k = 0; k < each; ++k) elements_[places[k]] = loaded[k];
    Index own_positions[each];
    if (shape_.has_positions) load_positions(positions, first, begin, count, own_positions);
    each_digit([&](std::uint32_t d) {
      const std::uint32_t start = starts_[d], end = d == digits - 1 ? count : starts_[d + 1];
      const Index before = in_row ? sum_before(own_counts + d, in_row) : bases_[d];
      publish(own_counts + d, (before + (end - start)) | published::up_to_tile);
      bases_[d] = before - start;
    });
    __dpep_group_barrier();
    Index targets[each];
    const std::uint32_t stored = to ? count : 0;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const std::uint32_t i = item_ + k * shape_.group;
      const value x = elements_[i];
      targets[k] = bases_[digit(x)] + i;
      if (i < stored) to[first + targets[k]] = x;
    }
    if (!shape_.has_positions) return;
    __dpep_group_barrier();
#pragma unroll
    for (unsigned k = 0; k < each; ++k) positions_[places[k]] = own_positions[k];
    __dpep_group_barrier();
#pragma unroll
    for (unsigned k = 0; k < each; ++k)
      if (const std::uint32_t i = item_ + k * shape_.group; i < count)
        store_position(first + targets[k], positions_[i]);
  }

  /// Sorts a row that is one tile by all digits.
  void sort_row(digit_reader<Element> digit, const element *from, element *to, std::int64_t *positions_out,
                std::uint32_t length) {
    const std::uint64_t first = __dpep_group_id(0) * length;
    value loaded[each];
    Index own_positions[each];
    std::uint32_t places[each];
    load(from + first, length, loaded);
#pragma unroll
    for (unsigned k = 0; k < each; ++k) own_positions[k] = in_tile(k);
#pragma nounroll
    for (digit.shift = 0; digit.shift < 8 * sizeof(value); digit.shift += 8) {
      clear_ranks();
      __dpep_group_barrier();
      rank(digit, loaded, length, places, false, [](std::uint32_t, std::uint32_t) {});
#pragma unroll
      for (unsigned k = 0; k < each; ++k) elements_[places[k]] = loaded[k];
      __dpep_group_barrier();
#pragma unroll
      for (unsigned k = 0; k < each; ++k) loaded[k] = elements_[in_tile(k)];
      __dpep_group_barrier();
      if (shape_.has_positions) {
#pragma unroll
        for (unsigned k = 0; k < each; ++k) positions_[places[k]] = own_positions[k];
        __dpep_group_barrier();
#pragma unroll
        for (unsigned k = 0; k < each; ++k) own_positions[k] = positions_[in_tile(k)];
        __dpep_group_barrier();
      }
    }
#pragma unroll
    for (unsigned k = 0; k < each; ++k)
      if (const std::uint32_t i = in_tile(k); i < length) {
        if (to) to[first + i] = loaded[k];
        if (shape_.has_positions) positions_out[first + i] = std::int64_t(own_positions[k]);
      }
  }

private:
  static constexpr std::uint32_t most_sub_group_sums = 8;  // of digits, with sub-groups of 32
  static constexpr std::uint32_t most_unrolled = 16;       // sub-groups
  // Digits are counted before elements are ranked: tiles behind wait for less, and ranks are places. On an H200, sorts
  // of 100,000,000 int32 take 0.86 of the time of counting by ranks, and those of float64 1.04.
  static constexpr bool counts_first = sizeof(value) <= 4;
  const sort_shape shape_;
  const std::uint32_t item_ = std::uint32_t(__dpep_local_id(0)), lane_ = __dpep_sub_group_local_id();
  const std::uint32_t sub_group_ = item_ / shape_.sub_group;
  value *elements_;
  Index *bases_, *positions_;
  std::uint32_t *masks_, *counts_;  // of each sub-group
  std::uint32_t *starts_;           // of digits in the tile
  std::uint32_t *leader_words_;     // the ticket, and whether all digits of the row are equal
  std::uint32_t *sub_group_sums_;   // in place_digits

  std::uint32_t sub_groups() const { return shape_.group / shape_.sub_group; }
  std::uint32_t tile_size() const { return shape_.group * each; }
  std::uint32_t in_tile(unsigned k) const { return (sub_group_ * each + k) * shape_.sub_group + lane_; }
  template <class F> void each_digit(F body) const {
#pragma nounroll
    for (std::uint32_t d = item_; d < digits; d += shape_.group) body(d);
  }

  /// Calls `assign(k, i)` for the indices `i` in a tile of a work-item's elements; for those after its end, `i` is 0.
  template <class F> void each_element(std::uint32_t count, F assign) const {
    if (count == tile_size()) {
#pragma unroll
      for (unsigned k = 0; k < each; ++k) assign(k, in_tile(0) + k * shape_.sub_group);
    } else {
#pragma unroll
      for (unsigned k = 0; k < each; ++k) assign(k, in_tile(k) < count ? in_tile(k) : 0);
    }
  }
  /// Calls `use(k, i)` for the elements that exist.
  template <class F> void each_existing(std::uint32_t count, F use) const {
    if (count == tile_size()) {
#pragma unroll
      for (unsigned k = 0; k < each; ++k) use(k, in_tile(k));
    } else {
#pragma unroll
      for (unsigned k = 0; k < each; ++k)
        if (in_tile(k) < count) use(k, in_tile(k));
    }
  }
  void load(const element *from, std::uint32_t count, value (&to)[each]) const {
    each_element(count, [&](unsigned k, std::uint32_t i) { to[k] = from[i]; });
  }
  void load_positions(const Index *positions, std::uint64_t first, Index begin, std::uint32_t count,
                      Index (&to)[each]) const {
    if (positions) {
      const Index *const from = positions + (first + begin);
      each_element(count, [&](unsigned k, std::uint32_t i) { to[k] = from[i]; });
    } else {
#pragma unroll
      for (unsigned k = 0; k < each; ++k) to[k] = begin + in_tile(k);
    }
  }

  static void publish(Index *at, Index word) { __atomic_store_n(in_device_scope(at), word, __ATOMIC_RELAXED); }
  /// The sum of a digit's counts in the row before a tile, whose word is given: that of published counts of tiles, back
  /// to a tile that has published its sum. Several words are in flight at once.
  static Index sum_before(Index *own, std::uint32_t in_row) {
    constexpr unsigned several = 4;
    const Index *const of_row = own - std::uint64_t(in_row) * digits;
    Index sum = 0;
    std::uint32_t known = in_row;  // the sum of the tiles from this one on is known
    for (bool is_complete = false; !is_complete;) {
      Index words[several];
#pragma unroll
      for (unsigned k = 0; k < several; ++k)
        words[k] = __atomic_load_n(in_device_scope(of_row + std::uint64_t(known > k ? known - 1 - k : 0) * digits),
                                   __ATOMIC_RELAXED);
      bool is_published = true;
#pragma unroll
      for (unsigned k = 0; k < several; ++k) {
        is_published = is_published && (words[k] & ~published::value_mask);
        if (is_published && !is_complete) {
          sum += words[k] & published::value_mask;
          --known;
          is_complete = words[k] & published::up_to_tile;
        }
      }
    }
    return sum;
  }

  /// Replaces the 256 values by the sums of those before; executed by one sub-group. Barriers must surround it.
  template <class T> void exclusive_scan(T *values) const {
    const std::uint32_t count = digits / shape_.sub_group;
    T *const own = values + lane_ * count;
    T sum = 0;
#pragma nounroll
    for (std::uint32_t k = 0; k < count; ++k) sum += own[k];
    T before = sum_up_to(sum) - sum;
#pragma nounroll
    for (std::uint32_t k = 0; k < count; ++k) {
      const T one = own[k];
      own[k] = before;
      before += one;
    }
  }
  /// The sum of the values of the sub-group's work-items up to this one.
  template <class T> T sum_up_to(T x) const {
#pragma unroll
    for (std::uint32_t distance = 1; distance < 32; distance *= 2)
      if (distance < shape_.sub_group) {
        const T other = shuffled(x, lane_ - distance);
        x += lane_ >= distance ? other : T(0);
      }
    return x;
  }
  static std::uint32_t shuffled(std::uint32_t x, std::uint32_t lane) { return __dpep_sub_group_shuffle32(x, lane); }
  static std::uint64_t shuffled(std::uint64_t x, std::uint32_t lane) { return __dpep_sub_group_shuffle64(x, lane); }

  /// Must precede rank(), with a barrier between.
  void clear_ranks() const {
#pragma nounroll
    for (std::uint32_t k = item_; k < digits * sub_groups(); k += shape_.group) masks_[k] = counts_[k] = 0;
  }

  /// Computes the places of the elements in the tile, ordered by the digit. Those from `count` on have the highest
  /// digit. A work-item calls `on_total(digit, count)` for each digit as soon as it is counted. Afterwards `starts_`
  /// has the first place of each digit, and if `with_bases`, `bases_` the sums of its values before each.
  template <class F>
  void rank(digit_reader<Element> digit, const value (&loaded)[each], std::uint32_t count,
            std::uint32_t (&places)[each], bool with_bases, F on_total) const {
    std::uint32_t *const masks = masks_ + sub_group_ * digits, *const counts = counts_ + sub_group_ * digits;
    const auto digit_of = [&](unsigned k) { return in_tile(k) < count ? digit(loaded[k]) : digits - 1; };
    if constexpr (counts_first) {
#pragma unroll
      for (unsigned k = 0; k < each; ++k)
        __atomic_fetch_add(in_device_scope(counts + digit_of(k)), 1, __ATOMIC_RELAXED);
      __dpep_group_barrier();
      place_digits(with_bases, on_total);
    }
    constexpr std::uint32_t place_bits = 16, place_mask = (1u << place_bits) - 1;  // the digit is above them
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const std::uint32_t d = digit_of(k);
      __atomic_fetch_or(in_device_scope(masks + d), 1u << lane_, __ATOMIC_RELAXED);
      __dpep_sub_group_barrier();
      const std::uint32_t equal = masks[d], before = equal & ((1u << lane_) - 1);
      const std::uint32_t next = counts[d];  // the place of the first of them
      __dpep_sub_group_barrier();
      if (before == 0) {
        masks[d] = 0;
        counts[d] = next + std::uint32_t(__builtin_popcount(equal));
      }
      places[k] = next + std::uint32_t(__builtin_popcount(before));
      if constexpr (!counts_first) places[k] |= d << place_bits;
      __dpep_sub_group_barrier();
    }
    __dpep_group_barrier();  // elements replace the masks
    if constexpr (!counts_first) {
      place_digits(with_bases, on_total);
#pragma unroll
      for (unsigned k = 0; k < each; ++k) places[k] = (places[k] & place_mask) + counts[places[k] >> place_bits];
    }
  }
  /// Replaces the counts of each sub-group by the places of its first elements with each digit. A barrier must precede
  /// the call and is its end.
  template <class F> void place_digits(bool with_bases, F on_total) const {
    if (counts_first && shape_.group >= digits && digits / shape_.sub_group <= most_sub_group_sums &&
        sub_groups() <= most_unrolled)
      place_digits_by_items(with_bases, on_total);
    else
      place_digits_by_sub_group(with_bases, on_total);
  }
  /// With a work-item for each digit.
  template <class F> void place_digits_by_items(bool with_bases, F on_total) const {
    const bool has_digit = item_ < digits;
    std::uint32_t own[most_unrolled], sum = 0;  // of the sub-groups
    if (has_digit) {
      each_sub_group([&](std::uint32_t k) { sum += own[k] = counts_[k * digits + item_]; });
      on_total(item_, sum);
    }
    const std::uint32_t up_to = sum_up_to(sum);
    if (has_digit && lane_ == shape_.sub_group - 1) sub_group_sums_[sub_group_] = up_to;
    if (with_bases && sub_group_ == sub_groups() - 1) exclusive_scan(bases_);
    __dpep_group_barrier();
    if (has_digit) {
      std::uint32_t start = up_to - sum;
#pragma unroll
      for (std::uint32_t k = 0; k < most_sub_group_sums; ++k)
        if (k < sub_group_) start += sub_group_sums_[k];
      starts_[item_] = start;
      each_sub_group([&](std::uint32_t k) {
        counts_[k * digits + item_] = start;
        start += own[k];
      });
    }
    __dpep_group_barrier();
  }
  template <class F> void place_digits_by_sub_group(bool with_bases, F on_total) const {
    each_digit([&](std::uint32_t d) {
      std::uint32_t sum = 0;
      each_sub_group([&](std::uint32_t k) { sum += counts_[k * digits + d]; });
      starts_[d] = sum;
      on_total(d, sum);
    });
    __dpep_group_barrier();
    if (sub_group_ == 0) exclusive_scan(starts_);
    if (with_bases && sub_group_ == sub_groups() - 1) exclusive_scan(bases_);
    __dpep_group_barrier();
    each_digit([&](std::uint32_t d) {
      std::uint32_t start = starts_[d];
      each_sub_group([&](std::uint32_t k) {
        const std::uint32_t one = counts_[k * digits + d];
        counts_[k * digits + d] = start;
        start += one;
      });
    });
    __dpep_group_barrier();
  }
  template <class F> void each_sub_group(F body) const {
    if (sub_groups() <= most_unrolled) {
#pragma unroll
      for (std::uint32_t k = 0; k < most_unrolled; ++k)
        if (k < sub_groups()) body(k);
    } else {
#pragma nounroll
      for (std::uint32_t k = 0; k < sub_groups(); ++k) body(k);
    }
  }
};

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SORT_SHAPE {sub_group, group, descending, has_positions}
#define DPEP_SORT_SHAPE_PARAMETERS std::uint32_t sub_group, std::uint32_t group, bool descending, bool has_positions

#define DPEP_SORT_COUNT(bytes, alignment, bits)                                                                        \
  DPEP_EXPORT void dpep_sort_count_##bytes##_##alignment##_i##bits(                                                    \
      void (*key)(void *, const void *), DPEP_SORT_SHAPE_PARAMETERS, const void *from, void *totals,                   \
      std::uint##bits##_t length, std::uint32_t rows, std::uint32_t blocks_in_row, std::uint##bits##_t block_size,     \
      std::uint32_t copies, void *local) {                                                                             \
    using namespace dpep::array::gpu;                                                                                  \
    using element = sort_element<bytes, alignment>;                                                                    \
    count_digits<element, std::uint##bits##_t>(                                                                        \
        key, static_cast<const element::in_memory *>(from), static_cast<std::uint##bits##_t *>(totals), length, rows,  \
        blocks_in_row, block_size, DPEP_SORT_SHAPE, copies, static_cast<std::uint32_t *>(local));                      \
  }
#define DPEP_SORT_SWEEP(bytes, alignment, each, bits)                                                                  \
  DPEP_EXPORT void dpep_sort_sweep_##bytes##_##alignment##_##each##_i##bits(                                           \
      void (*key)(void *, const void *), DPEP_SORT_SHAPE_PARAMETERS, const void *from, void *to,                       \
      const void *positions, void *positions_to, void *positions_out, const void *totals, void *counts,                \
      void *next_counts, void *ticket, std::uint##bits##_t length, std::uint32_t tiles_in_row, std::uint32_t shift,    \
      void *local) {                                                                                                   \
    using namespace dpep::array::gpu;                                                                                  \
    using element = sort_element<bytes, alignment>;                                                                    \
    using index = std::uint##bits##_t;                                                                                 \
    sort_tile<element, each, index>(DPEP_SORT_SHAPE, static_cast<std::byte *>(local))                                  \
        .sweep({key, shift, descending}, static_cast<const element::in_memory *>(from),                                \
               static_cast<element::in_memory *>(to), static_cast<const index *>(positions),                           \
               static_cast<index *>(positions_to), static_cast<std::int64_t *>(positions_out),                         \
               static_cast<const index *>(totals), static_cast<index *>(counts), static_cast<index *>(next_counts),    \
               static_cast<std::uint32_t *>(ticket), length, tiles_in_row);                                            \
  }
#define DPEP_SORT_ROW(bytes, alignment, each)                                                                          \
  DPEP_EXPORT void dpep_sort_row_##bytes##_##alignment##_##each(                                                       \
      void (*key)(void *, const void *), DPEP_SORT_SHAPE_PARAMETERS, const void *from, void *to, void *positions_out,  \
      std::uint32_t length, void *local) {                                                                             \
    using namespace dpep::array::gpu;                                                                                  \
    using element = sort_element<bytes, alignment>;                                                                    \
    sort_tile<element, each, std::uint32_t>(DPEP_SORT_SHAPE, static_cast<std::byte *>(local))                          \
        .sort_row({key, 0, descending}, static_cast<const element::in_memory *>(from),                                 \
                  static_cast<element::in_memory *>(to), static_cast<std::int64_t *>(positions_out), length);          \
  }
// The numbers of elements of a work-item are known to sort_kernel.cpp, too.
#define DPEP_SORT(bytes, alignment, row_each, each)                                                                    \
  DPEP_SORT_COUNT(bytes, alignment, 32)                                                                                \
  DPEP_SORT_COUNT(bytes, alignment, 64)                                                                                \
  DPEP_SORT_SWEEP(bytes, alignment, 4, 32)                                                                             \
  DPEP_SORT_SWEEP(bytes, alignment, 4, 64)                                                                             \
  DPEP_SORT_SWEEP(bytes, alignment, each, 32)                                                                          \
  DPEP_SORT_SWEEP(bytes, alignment, each, 64)                                                                          \
  DPEP_SORT_ROW(bytes, alignment, 1)                                                                                   \
  DPEP_SORT_ROW(bytes, alignment, 4)                                                                                   \
  DPEP_SORT_ROW(bytes, alignment, row_each)
DPEP_SORT(1, 1, 16, 16)
DPEP_SORT(2, 2, 16, 16)
DPEP_SORT(4, 4, 16, 18)
DPEP_SORT(8, 8, 8, 18)
DPEP_SORT(8, 4, 8, 18)
DPEP_SORT(16, 8, 6, 9)

DPEP_EXPORT void dpep_sort_clear(std::uint32_t group, void *words, std::uint64_t count, std::uint64_t groups) {
  dpep::array::gpu::clear_words(static_cast<std::uint64_t *>(words), count, group, groups);
}
