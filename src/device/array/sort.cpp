// Stable radix sorts of rows by digits of 8 bits.
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
    std::uint32_t digit;
    if constexpr (sizeof bits == 16) {  // shifts of two words are long code
      const std::uint64_t half = shift < 64 ? std::uint64_t(bits) : std::uint64_t(bits >> 64);
      digit = std::uint32_t(half >> (shift & 63)) & 255;
    } else {
      digit = std::uint32_t(bits >> shift) & 255;
    }
    return descending ? digit ^ 255 : digit;
  }
};

/// A block's part of a row.
template <class Index> struct row_block {
  std::uint64_t first;  // the first element of the row
  Index begin, end;     // of the block in the row
};
template <class Index>
row_block<Index> block_of(std::uint64_t number, std::uint32_t blocks_in_row, Index block_size, Index length) {
  const std::uint64_t row = number / blocks_in_row;
  const Index begin = Index(number - row * blocks_in_row) * block_size;
  return {row * length, begin, length - begin < block_size ? length : Index(begin + block_size)};
}

/// Counts the digits of a block, in local memory.
template <class Element, class Index>
void count_digits(digit_reader<Element> digit, const typename Element::in_memory *from, Index *counts, Index length,
                  std::uint32_t blocks_in_row, Index block_size, sort_shape shape, std::uint32_t *local) {
  constexpr std::uint32_t copies = 4;  // so that fewer sub-groups count in the same word
  constexpr unsigned each = 8;
  const auto item = std::uint32_t(__dpep_local_id(0));
  const std::uint64_t group = __dpep_group_id(0);
  const row_block<Index> block = block_of<Index>(group, blocks_in_row, block_size, length);
  std::uint32_t *const own = local + item / shape.sub_group % copies * digits;
#pragma nounroll
  for (std::uint32_t k = item; k < copies * digits; k += shape.group) local[k] = 0;
  __dpep_group_barrier();
  const auto count = [&](typename Element::value x) {
    auto *const at = static_cast<std::uint32_t *>(__dpep_in_scope(own + digit(x), device_scope));
    __atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
  };
  Index left = block.end - block.begin;
  const typename Element::in_memory *at = from + block.first + block.begin;
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
  for (std::uint32_t d = item; d < digits; d += shape.group) {
    std::uint32_t sum = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < copies; ++k) sum += local[k * digits + d];
    counts[group * digits + d] = sum;
  }
}

/// Replaces the counts of each digit by those of all earlier blocks of the row, and stores the digit's total. A
/// work-group has `digits_each` digits of one row; the row's blocks are distributed over `pieces` work-items a digit.
template <class Index>
void sum_counts(Index *counts, Index *totals, std::uint32_t blocks_in_row, std::uint32_t digits_each,
                std::uint32_t pieces, Index *local) {
  constexpr std::uint32_t each = 8;
  const auto item = std::uint32_t(__dpep_local_id(0));
  const std::uint64_t group = __dpep_group_id(0), row = group / (digits / digits_each);
  const std::uint32_t column = item & (digits_each - 1), piece = item / digits_each;
  const std::uint32_t digit = std::uint32_t(group & (digits / digits_each - 1)) * digits_each + column;
  const std::uint32_t size = (blocks_in_row + pieces - 1) / pieces;
  const std::uint32_t begin = piece * size < blocks_in_row ? piece * size : blocks_in_row;
  const std::uint32_t end = blocks_in_row - begin < size ? blocks_in_row : begin + size;
  Index *const of_row = counts + row * blocks_in_row * digits + digit;
  const auto each_block = [&](auto body) {
    std::uint32_t block = begin;
    const auto advance = [&]<std::uint32_t count>() {
      Index loaded[count];
#pragma unroll
      for (std::uint32_t k = 0; k < count; ++k) loaded[k] = of_row[std::uint64_t(block + k) * digits];
#pragma unroll
      for (std::uint32_t k = 0; k < count; ++k) body(block + k, loaded[k]);
      block += count;
    };
#pragma nounroll
    while (block + each <= end) advance.template operator()<each>();
#pragma nounroll
    while (block < end) advance.template operator()<1>();
  };
  Index sum = 0, before = 0;
  each_block([&](std::uint32_t, Index count) { sum += count; });
  local[item] = sum;
  __dpep_group_barrier();
#pragma nounroll
  for (std::uint32_t k = 0; k < piece; ++k) before += local[k * digits_each + column];
  if (piece == pieces - 1) totals[row * digits + digit] = before + sum;
  each_block([&](std::uint32_t block, Index count) {
    of_row[std::uint64_t(block) * digits] = before;
    before += count;
  });
}

/// A tile of a row: `each` elements of each work-item, which a work-group orders by a digit in local memory.
///
/// A sub-group has adjacent elements and ranks `sub_group` of them at a time: each work-item sets its bit in the word
/// of its digit, and the bits before its own are the equal digits before it.
template <class Element, unsigned each, class Index> class sort_tile {
  using value = typename Element::value;
  using element = typename Element::in_memory;

public:
  sort_tile(sort_shape shape, std::byte *local) : shape_(shape) {
    // in the order of sort_local_bytes() of array/gpu/sort_kernel.cpp
    elements_ = reinterpret_cast<value *>(local);
    masks_ = reinterpret_cast<std::uint32_t *>(local);  // not used at the same time
    const std::size_t masks = sizeof(std::uint32_t) * digits * sub_groups(), all = sizeof(value) * tile_size();
    local += masks > all ? masks : all;
    bases_ = reinterpret_cast<Index *>(local);
    positions_ = bases_ + digits;
    local += sizeof(Index) * (digits + (shape.has_positions ? tile_size() : 0));
    counts_ = reinterpret_cast<std::uint32_t *>(local);
    starts_ = counts_ + digits * sub_groups();
    tile_counts_ = starts_ + digits;
  }

  /// Moves the elements of a block to their places in the order by the digit. `positions` are those of the elements in
  /// their rows; null: their indices. `to` and `positions_to` may be null; `positions_out` replaces `positions_to`.
  void scatter(digit_reader<Element> digit, const element *from, element *to, const Index *positions,
               Index *positions_to, std::int64_t *positions_out, const Index *counts, const Index *totals, Index length,
               std::uint32_t blocks_in_row, Index block_size) {
    const std::uint64_t group = __dpep_group_id(0), row = group / blocks_in_row;
    const row_block<Index> block = block_of<Index>(group, blocks_in_row, block_size, length);
    each_digit([&](std::uint32_t d) { bases_[d] = totals[row * digits + d]; });
    __dpep_group_barrier();
    exclusive_scan(bases_);
    __dpep_group_barrier();
    each_digit([&](std::uint32_t d) { bases_[d] += counts[group * digits + d]; });
#pragma nounroll
    for (Index at = block.begin; at < block.end; at += tile_size()) {
      const Index left = block.end - at;
      const std::uint32_t count = left < tile_size() ? std::uint32_t(left) : tile_size();
      value loaded[each];
      Index loaded_positions[each];
#pragma unroll
      for (unsigned k = 0; k < each; ++k) {
        const std::uint32_t i = in_tile(k);
        loaded[k] = from[block.first + at + (i < count ? i : 0)];
        if (shape_.has_positions) loaded_positions[k] = at + i;
      }
      if (shape_.has_positions && positions)
#pragma unroll
        for (unsigned k = 0; k < each; ++k) {
          const std::uint32_t i = in_tile(k);
          loaded_positions[k] = positions[block.first + at + (i < count ? i : 0)];
        }
      order(digit, loaded, loaded_positions, count);
#pragma unroll
      for (unsigned k = 0; k < each; ++k) {
        const std::uint32_t i = item_ + k * shape_.group;
        if (i < count) {
          const value x = elements_[i];
          const std::uint32_t d = digit(x);
          const std::uint64_t place = block.first + bases_[d] + (i - starts_[d]);
          if (to) to[place] = x;
          if (shape_.has_positions) {
            if (positions_out)
              positions_out[place] = std::int64_t(positions_[i]);
            else
              positions_to[place] = positions_[i];
          }
        }
      }
      __dpep_group_barrier();
      each_digit([&](std::uint32_t d) { bases_[d] += tile_counts_[d]; });
    }
  }

  /// Sorts a row that is one tile by all digits.
  void sort_row(digit_reader<Element> digit, const element *from, element *to, std::int64_t *positions_out,
                std::uint32_t length) {
    const std::uint64_t first = __dpep_group_id(0) * length;
    value loaded[each];
    Index loaded_positions[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const std::uint32_t i = in_tile(k);
      loaded[k] = from[first + (i < length ? i : 0)];
      loaded_positions[k] = i;
    }
#pragma nounroll
    for (digit.shift = 0; digit.shift < 8 * sizeof(value); digit.shift += 8) {
      order(digit, loaded, loaded_positions, length);
#pragma unroll
      for (unsigned k = 0; k < each; ++k) {
        loaded[k] = elements_[in_tile(k)];
        if (shape_.has_positions) loaded_positions[k] = positions_[in_tile(k)];
      }
      __dpep_group_barrier();
    }
#pragma unroll
    for (unsigned k = 0; k < each; ++k)
      if (const std::uint32_t i = in_tile(k); i < length) {
        if (to) to[first + i] = loaded[k];
        if (shape_.has_positions) positions_out[first + i] = std::int64_t(loaded_positions[k]);
      }
  }

private:
  const sort_shape shape_;
  const std::uint32_t item_ = std::uint32_t(__dpep_local_id(0)), lane_ = __dpep_sub_group_local_id();
  const std::uint32_t sub_group_ = item_ / shape_.sub_group;
  value *elements_;
  Index *bases_, *positions_;
  std::uint32_t *masks_, *counts_;        // of each sub-group
  std::uint32_t *starts_, *tile_counts_;  // of digits in the tile

  std::uint32_t sub_groups() const { return shape_.group / shape_.sub_group; }
  std::uint32_t tile_size() const { return shape_.group * each; }
  std::uint32_t in_tile(unsigned k) const { return (sub_group_ * each + k) * shape_.sub_group + lane_; }
  template <class F> void each_digit(F body) const {
#pragma nounroll
    for (std::uint32_t d = item_; d < digits; d += shape_.group) body(d);
  }

  /// Replaces the 256 values by the sums of those before; executed by one sub-group. Barriers must surround it.
  template <class T> void exclusive_scan(T *values) const {
    if (sub_group_ != 0) return;
    const std::uint32_t count = digits / shape_.sub_group;
    T *const own = values + lane_ * count;
    T sum = 0;
#pragma nounroll
    for (std::uint32_t k = 0; k < count; ++k) sum += own[k];
    T up_to = sum;
#pragma unroll
    for (std::uint32_t distance = 1; distance < 32; distance *= 2)
      if (distance < shape_.sub_group) {
        const T other = shuffled(up_to, lane_ - distance);
        up_to += lane_ >= distance ? other : T(0);
      }
    T before = up_to - sum;
#pragma nounroll
    for (std::uint32_t k = 0; k < count; ++k) {
      const T one = own[k];
      own[k] = before;
      before += one;
    }
  }
  static std::uint32_t shuffled(std::uint32_t x, std::uint32_t lane) { return __dpep_sub_group_shuffle32(x, lane); }
  static std::uint64_t shuffled(std::uint64_t x, std::uint32_t lane) { return __dpep_sub_group_shuffle64(x, lane); }

  /// Stores the elements in local memory, ordered by the digit. Those from `count` on have the highest digit, and
  /// therefore stay last. A barrier must follow the last access to the results.
  void order(digit_reader<Element> digit, const value (&loaded)[each], const Index (&positions)[each],
             std::uint32_t count) const {
    std::uint32_t places[each], own_digits[each];
#pragma unroll
    for (unsigned k = 0; k < each; ++k) own_digits[k] = in_tile(k) < count ? digit(loaded[k]) : digits - 1;
#pragma nounroll
    for (std::uint32_t k = item_; k < digits * sub_groups(); k += shape_.group) masks_[k] = counts_[k] = 0;
    __dpep_group_barrier();
    std::uint32_t *const masks = masks_ + sub_group_ * digits, *const counts = counts_ + sub_group_ * digits;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const std::uint32_t d = own_digits[k];
      __atomic_fetch_or(static_cast<std::uint32_t *>(__dpep_in_scope(masks + d, device_scope)), 1u << lane_,
                        __ATOMIC_RELAXED);
      __dpep_sub_group_barrier();
      const std::uint32_t equal = masks[d], before = equal & ((1u << lane_) - 1);
      const std::uint32_t others = counts[d];
      __dpep_sub_group_barrier();
      if (before == 0) {
        masks[d] = 0;
        counts[d] = others + std::uint32_t(__builtin_popcount(equal));
      }
      places[k] = others + std::uint32_t(__builtin_popcount(before));
      __dpep_sub_group_barrier();
    }
    __dpep_group_barrier();
    each_digit([&](std::uint32_t d) {
      std::uint32_t sum = 0;
#pragma nounroll
      for (std::uint32_t k = 0; k < sub_groups(); ++k) {
        const std::uint32_t one = counts_[k * digits + d];
        counts_[k * digits + d] = sum;
        sum += one;
      }
      starts_[d] = tile_counts_[d] = sum;
    });
    __dpep_group_barrier();
    exclusive_scan(starts_);
    __dpep_group_barrier();
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const std::uint32_t place = places[k] + starts_[own_digits[k]] + counts[own_digits[k]];
      elements_[place] = loaded[k];
      if (shape_.has_positions) positions_[place] = positions[k];
    }
    __dpep_group_barrier();
  }
};

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SORT_SHAPE {sub_group, group, descending, has_positions}
#define DPEP_SORT_SHAPE_PARAMETERS std::uint32_t sub_group, std::uint32_t group, bool descending, bool has_positions

#define DPEP_SORT_PASS(bytes, alignment, each, bits)                                                                   \
  DPEP_EXPORT void dpep_sort_count_##bytes##_##alignment##_i##bits(                                                    \
      void (*key)(void *, const void *), DPEP_SORT_SHAPE_PARAMETERS, const void *from, void *counts,                   \
      std::uint##bits##_t length, std::uint32_t blocks_in_row, std::uint##bits##_t block_size, std::uint32_t shift,    \
      void *local) {                                                                                                   \
    using namespace dpep::array::gpu;                                                                                  \
    using element = sort_element<bytes, alignment>;                                                                    \
    count_digits<element, std::uint##bits##_t>({key, shift, descending},                                               \
                                               static_cast<const element::in_memory *>(from),                          \
                                               static_cast<std::uint##bits##_t *>(counts), length, blocks_in_row,      \
                                               block_size, DPEP_SORT_SHAPE, static_cast<std::uint32_t *>(local));      \
  }                                                                                                                    \
  DPEP_EXPORT void dpep_sort_scatter_##bytes##_##alignment##_i##bits(                                                  \
      void (*key)(void *, const void *), DPEP_SORT_SHAPE_PARAMETERS, const void *from, void *to,                       \
      const void *positions, void *positions_to, void *positions_out, const void *counts, const void *totals,          \
      std::uint##bits##_t length, std::uint32_t blocks_in_row, std::uint##bits##_t block_size, std::uint32_t shift,    \
      void *local) {                                                                                                   \
    using namespace dpep::array::gpu;                                                                                  \
    using element = sort_element<bytes, alignment>;                                                                    \
    using index = std::uint##bits##_t;                                                                                 \
    sort_tile<element, each, index>(DPEP_SORT_SHAPE, static_cast<std::byte *>(local))                                  \
        .scatter({key, shift, descending}, static_cast<const element::in_memory *>(from),                              \
                 static_cast<element::in_memory *>(to), static_cast<const index *>(positions),                         \
                 static_cast<index *>(positions_to), static_cast<std::int64_t *>(positions_out),                       \
                 static_cast<const index *>(counts), static_cast<const index *>(totals), length, blocks_in_row,        \
                 block_size);                                                                                          \
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
#define DPEP_SORT(bytes, alignment, each)                                                                              \
  DPEP_SORT_PASS(bytes, alignment, each, 32)                                                                           \
  DPEP_SORT_PASS(bytes, alignment, each, 64)                                                                           \
  DPEP_SORT_ROW(bytes, alignment, 1)                                                                                   \
  DPEP_SORT_ROW(bytes, alignment, 4)                                                                                   \
  DPEP_SORT_ROW(bytes, alignment, each)
// The number of elements of a work-item is known to sort_kernel.cpp, too.
DPEP_SORT(1, 1, 16)
DPEP_SORT(2, 2, 16)
DPEP_SORT(4, 4, 16)
DPEP_SORT(8, 8, 8)
DPEP_SORT(8, 4, 8)
DPEP_SORT(16, 8, 6)

#define DPEP_SORT_SUM(bits)                                                                                            \
  DPEP_EXPORT void dpep_sort_sum_i##bits(void *counts, void *totals, std::uint32_t blocks_in_row,                      \
                                         std::uint32_t digits_each, std::uint32_t pieces, void *local) {               \
    using index = std::uint##bits##_t;                                                                                 \
    dpep::array::gpu::sum_counts<index>(static_cast<index *>(counts), static_cast<index *>(totals), blocks_in_row,     \
                                        digits_each, pieces, static_cast<index *>(local));                             \
  }
DPEP_SORT_SUM(32)
DPEP_SORT_SUM(64)
