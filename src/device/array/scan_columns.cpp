// Scans along an axis that is not the last, and of short rows.
#include "device/array/scan.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

/// One work-item for each row of `length` elements at a distance of `inner`.
template <class Sizes, class Index>
void scan_rows(const scan_operation &operation, const typename Sizes::element *from, typename Sizes::element *to,
               Index rows, Index length, Index inner) {
  const Index row = Index(__dpep_group_id(0)) * 256 + Index(__dpep_local_id(0));
  if (row >= rows) return;
  const Index outside = row / inner, first = outside * length * inner + (row - outside * inner);
  typename Sizes::state sum;
  operation.start(&sum);
  Index i = 0;
  const auto advance = [&]<int count>() {
    typename Sizes::value elements[count];
#pragma unroll
    for (int k = 0; k < count; ++k) elements[k] = from[first + (i + Index(k)) * inner];
#pragma unroll
    for (int k = 0; k < count; ++k) {
      operation.take(&sum, &elements[k], 0);
      operation.result(&elements[k], &sum);
      to[first + (i + Index(k)) * inner] = elements[k];
    }
    i += count;
  };
  while (i + 7 < length) advance.template operator()<8>();
#pragma nounroll
  while (i < length) advance.template operator()<1>();
}

/// A work-group scans `columns` adjacent columns, as many as make whole cache lines, in turns. In a turn, the next
/// elements of each column are distributed over `pieces` work-items, which exchange their totals.
template <class Sizes, class Index> class column_scan {
  using value = typename Sizes::value;
  using element = typename Sizes::element;
  using state = typename Sizes::state;
  static constexpr Index each = sizeof(value) > 8 ? 4 : 8;  // elements of a work-item in a turn

public:
  column_scan(const scan_operation &operation, const element *from, element *to, Index length, Index inner,
              Index blocks, Index columns, Index pieces, state *totals)
      : operation_(operation),
        from_(from),
        to_(to),
        length_(length),
        inner_(inner),
        columns_(columns),
        pieces_(pieces),
        totals_(totals) {
    const Index group = Index(__dpep_group_id(0)), outside = group / blocks, block = group - outside * blocks;
    const Index requested = block * columns + column_;
    active_ = requested < inner;
    // work-items without a column read the first one, and store nothing
    first_ = outside * length * inner + (active_ ? requested : 0);
  }

  void scan() {
    state carry;
    operation_.start(&carry);
    for (Index at = 0; at < length_; at += pieces_ * each) scan_turn(at, carry);
  }

private:
  const scan_operation operation_;
  const element *const from_;
  element *const to_;
  const Index length_, inner_, columns_, pieces_;
  state *const totals_;  // in local memory
  const Index item_ = Index(__dpep_local_id(0)), column_ = item_ & (columns_ - 1), piece_ = item_ / columns_;
  bool active_;
  Index first_;
  Index buffer_ = 0;

  Index index_of(Index row) const { return first_ + row * inner_; }

  void scan_turn(Index at, state &carry) {
    const Index row = at + piece_ * each;
    const bool whole = at + pieces_ * each <= length_;
    value elements[each];
    state total;
    operation_.start(&total);
    if (whole) {
#pragma unroll
      for (Index k = 0; k < each; ++k) elements[k] = from_[index_of(row + k)];
#pragma unroll
      for (Index k = 0; k < each; ++k) operation_.take(&total, &elements[k], 0);
    } else {
#pragma unroll
      for (Index k = 0; k < each; ++k)
        if (row + k < length_) {
          elements[k] = from_[index_of(row + k)];
          operation_.take(&total, &elements[k], 0);
        }
    }
    state before = exchange_totals(total, carry);
    const auto put = [&](Index k) {
      value sum;
      operation_.take(&before, &elements[k], 0);
      operation_.result(&sum, &before);
      to_[index_of(row + k)] = sum;
    };
    if (!active_) return;
    if (whole) {
#pragma unroll
      for (Index k = 0; k < each; ++k) put(k);
    } else {
#pragma unroll
      for (Index k = 0; k < each; ++k)
        if (row + k < length_) put(k);
    }
  }

  /// The accumulation of all elements before those of this work-item. Totals are double-buffered, because those of one
  /// turn are still being read when those of the next are written.
  state exchange_totals(const state &total, state &carry) {
    state *const buffer = totals_ + buffer_ * (columns_ * pieces_);
    buffer_ ^= 1;
    buffer[item_] = total;
    __dpep_group_barrier();
    state before = carry;
    for (Index k = 0; k < pieces_; ++k) {
      const state other = buffer[column_ + k * columns_];
      if (k < piece_) operation_.merge(&before, &other);
      operation_.merge(&carry, &other);
    }
    return before;
  }
};

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SCAN_ROWS(bytes, alignment, state_bytes, bits)                                                            \
  DPEP_EXPORT void dpep_scan_rows_##bytes##_##alignment##_##state_bytes##_i##bits(                                     \
      DPEP_SCAN_PARAMETERS, std::uint##bits##_t rows, std::uint##bits##_t length, std::uint##bits##_t inner) {         \
    using sizes = dpep::array::gpu::scan_sizes<bytes, alignment, state_bytes>;                                         \
    dpep::array::gpu::scan_rows<sizes, std::uint##bits##_t>(DPEP_SCAN_OPERATION,                                       \
                                                            static_cast<const sizes::element *>(from),                 \
                                                            static_cast<sizes::element *>(to), rows, length, inner);   \
  }
DPEP_EACH_SCAN(DPEP_SCAN_ROWS)

#define DPEP_SCAN_COLUMNS(bytes, alignment, state_bytes, bits)                                                         \
  DPEP_EXPORT void dpep_scan_columns_##bytes##_##alignment##_##state_bytes##_i##bits(                                  \
      DPEP_SCAN_PARAMETERS, std::uint##bits##_t length, std::uint##bits##_t inner, std::uint##bits##_t blocks,         \
      std::uint##bits##_t columns, std::uint##bits##_t pieces, void *totals) {                                         \
    using sizes = dpep::array::gpu::scan_sizes<bytes, alignment, state_bytes>;                                         \
    dpep::array::gpu::column_scan<sizes, std::uint##bits##_t>(                                                         \
        DPEP_SCAN_OPERATION, static_cast<const sizes::element *>(from), static_cast<sizes::element *>(to), length,     \
        inner, blocks, columns, pieces, static_cast<sizes::state *>(totals))                                           \
        .scan();                                                                                                       \
  }
DPEP_EACH_SCAN(DPEP_SCAN_COLUMNS)
