// Squares of elements transposed in registers.
#pragma once

#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// The side of a square: a register's elements, at most 16, since as many registers are needed.
template <class T> constexpr std::size_t square = register_bytes / sizeof(T) < 16 ? register_bytes / sizeof(T) : 16;
template <class T> struct row_type {
  using type __attribute__((ext_vector_type(square<T>))) = T;
};
template <class T> using row_of = typename row_type<T>::type;

/// Exchanges the elements whose column has the bit `step` with those whose row has it.
template <std::size_t step, class T, std::size_t... j>
[[gnu::always_inline]] inline void exchange(row_of<T> &a, row_of<T> &b, std::index_sequence<j...>) {
  constexpr std::size_t n = sizeof...(j);
  const row_of<T> low = __builtin_shufflevector(a, b, int(j & step ? n + j - step : j)...);
  b = __builtin_shufflevector(a, b, int(j & step ? n + j : j + step)...);
  a = low;
}
template <std::size_t step, class T> [[gnu::always_inline]] inline void exchange_all(row_of<T> (&rows)[square<T>]) {
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < square<T>; ++i)
    if (!(i & step)) exchange<step, T>(rows[i], rows[i + step], std::make_index_sequence<square<T>>());
}
template <class T> [[gnu::always_inline]] inline void transpose_square(row_of<T> (&rows)[square<T>]) {
  exchange_all<1, T>(rows);
  if constexpr (square<T> > 2) exchange_all<2, T>(rows);
  if constexpr (square<T> > 4) exchange_all<4, T>(rows);
  if constexpr (square<T> > 8) exchange_all<8, T>(rows);
}

template <class T> struct place {
  T *data;
  std::int64_t stride;  // bytes between lines; elements of a line are neighbours
  T *line(std::size_t i) const {
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T *>(reinterpret_cast<byte *>(data) + std::int64_t(i) * stride);
  }
};

template <class T>
void transpose_elements(std::size_t first_row, std::size_t rows, std::size_t first_column, std::size_t columns,
                        place<T> to, place<const T> from) {
  for (std::size_t c = first_column; c < columns; ++c)
    for (std::size_t r = first_row; r < rows; ++r) to.line(c)[r] = from.line(r)[c];
}

/// A square, or the part of it that there is.
template <class T>
[[gnu::always_inline]] inline void transpose_at(std::size_t r, std::size_t height, std::size_t c, std::size_t width,
                                                place<T> to, place<const T> from) {
  constexpr std::size_t n = square<T>;
  row_of<T> rows[n] = {};
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < n; ++i)
    if (i < height) __builtin_memcpy(&rows[i], from.line(r + i) + c, sizeof(row_of<T>));
  transpose_square<T>(rows);
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < n; ++i)
    if (i < width) __builtin_memcpy(to.line(c + i) + r, &rows[i], sizeof(row_of<T>));
}

/// How many of the `lines` may be read or written by whole vectors, though only `length` elements of a vector are
/// theirs: as many as have enough of the following lines behind them.
template <class T> std::size_t lines_with_room(std::size_t lines, std::size_t length, std::int64_t stride) {
  if (stride <= 0) return 0;
  const std::size_t missing = (square<T> - length) * sizeof(T);
  const std::size_t followers = (missing + std::size_t(stride) - 1) / std::size_t(stride);
  return lines > followers ? lines - followers : 0;
}

/// to.line(c)[r] = from.line(r)[c]. What is over at the edges is done by squares that overlap others. Few columns, or
/// few rows, are what lists of points have: these go through registers too.
template <class T> void transpose(std::size_t rows, std::size_t columns, place<T> to, place<const T> from) {
  constexpr std::size_t n = square<T>;
  const auto last = [](std::size_t at, std::size_t count) { return at + n <= count ? at : count - n; };
  if (rows >= n && columns >= n) {
    for (std::size_t r = 0; r < rows; r += n)
      for (std::size_t c = 0; c < columns; c += n) transpose_at(last(r, rows), n, last(c, columns), n, to, from);
  } else if (rows >= n) {
    const std::size_t quick = lines_with_room<T>(rows, columns, from.stride);
    if (quick < n) return transpose_elements(0, rows, 0, columns, to, from);
    for (std::size_t r = 0; r < quick; r += n) transpose_at(last(r, quick), n, 0, columns, to, from);
    transpose_elements(quick, rows, 0, columns, to, from);
  } else if (columns >= n && to.stride == std::int64_t(rows * sizeof(T))) {
    // in order: what is written over the end of a line is replaced by the next
    const std::size_t quick = lines_with_room<T>(columns, rows, to.stride) / n * n;
    for (std::size_t c = 0; c < quick; c += n) transpose_at(0, rows, c, n, to, from);
    transpose_elements(0, rows, quick, columns, to, from);
  } else {
    transpose_elements(0, rows, 0, columns, to, from);
  }
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
