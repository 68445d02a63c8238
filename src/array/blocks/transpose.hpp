// Transposes matrices in squares, in registers.
#pragma once

#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// The side of a square: the elements of a register, at most 16, because as many registers are needed.
template <class T> constexpr std::size_t square = register_bytes / sizeof(T) < 16 ? register_bytes / sizeof(T) : 16;
template <class T> struct row_type {
  using type __attribute__((ext_vector_type(square<T>))) = T;
};
template <class T> using row_of = typename row_type<T>::type;

/// Exchanges the elements whose column index has the bit `step` with those whose row index has it.
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

template <class T> struct line_view {
  T *data;
  std::int64_t stride;  // bytes between lines; the elements of a line are contiguous
  T *line(std::size_t i) const {
    using byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T *>(reinterpret_cast<byte *>(data) + std::int64_t(i) * stride);
  }
};

template <class T>
void transpose_elements(std::size_t first_row, std::size_t rows, std::size_t first_column, std::size_t columns,
                        line_view<T> to, line_view<const T> from) {
  for (std::size_t c = first_column; c < columns; ++c)
    for (std::size_t r = first_row; r < rows; ++r) to.line(c)[r] = from.line(r)[c];
}

/// Transposes a square, or the part of it that exists.
template <class T>
[[gnu::always_inline]] inline void transpose_at(std::size_t r, std::size_t height, std::size_t c, std::size_t width,
                                                line_view<T> to, line_view<const T> from) {
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

/// Prefetches what squares further down read, where lines are short: lists of points are read once, and faster than
/// processors prefetch them by themselves.
template <class T> [[gnu::always_inline]] inline void prefetch_lines(line_view<const T> from, std::size_t r) {
  constexpr std::int64_t ahead = 2048, line = 64, longest = 512;
  if (from.stride <= 0 || from.stride > longest) return;
  const char *const first = reinterpret_cast<const char *>(from.line(r)) + ahead;
  for (std::int64_t at = 0; at < std::int64_t(square<T>) * from.stride; at += line) __builtin_prefetch(first + at);
}

/// Whether a part of a vector of so many bytes can be stored by one instruction.
constexpr bool stores_parts(std::size_t bytes) { return bytes == 8 || bytes == 16 || bytes == 32; }

/// Transposes a square of fewer than `square` rows, and stores only the elements that exist.
template <class T>
[[gnu::always_inline]] inline void transpose_to_parts(std::size_t height, std::size_t c, line_view<T> to,
                                                      line_view<const T> from) {
  constexpr std::size_t n = square<T>;
  row_of<T> rows[n] = {};
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < n; ++i)
    if (i < height) __builtin_memcpy(&rows[i], from.line(i) + c, sizeof(row_of<T>));
  transpose_square<T>(rows);
  const auto store = [&]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>) {
    if constexpr (bytes <= sizeof(row_of<T>)) {
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) __builtin_memcpy(to.line(c + i), &rows[i], bytes);
    }
  };
  switch (height * sizeof(T)) {
  case 8:
    return store(std::integral_constant<std::size_t, 8>());
  case 16:
    return store(std::integral_constant<std::size_t, 16>());
  case 32:
    return store(std::integral_constant<std::size_t, 32>());
  }
}

/// The number of lines that may be accessed with whole vectors although only `length` elements of each vector belong to
/// a line: those with enough lines after them.
template <class T> std::size_t lines_with_room(std::size_t lines, std::size_t length, std::int64_t stride) {
  if (stride <= 0) return 0;
  const std::size_t missing = (square<T> - length) * sizeof(T);
  const std::size_t followers = (missing + std::size_t(stride) - 1) / std::size_t(stride);
  return lines > followers ? lines - followers : 0;
}

/// Reads adjacent groups of a few elements, such as the colours of pixels, or writes them. Loops with constant
/// distances are compiled to loads of whole vectors and shuffles.
template <std::size_t group, class T>
void separate_groups(std::size_t count, line_view<T> to, const T *__restrict from) {
  T *__restrict const a = to.line(0), *__restrict const b = to.line(1);
  T *__restrict const c = group > 2 ? to.line(2) : nullptr, *__restrict const d = group > 3 ? to.line(3) : nullptr;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = from[i * group], b[i] = from[i * group + 1];
    if constexpr (group > 2) c[i] = from[i * group + 2];
    if constexpr (group > 3) d[i] = from[i * group + 3];
  }
}
template <std::size_t group, class T> void join_groups(std::size_t count, T *__restrict to, line_view<const T> from) {
  const T *__restrict const a = from.line(0), *__restrict const b = from.line(1);
  const T *__restrict const c = group > 2 ? from.line(2) : nullptr;
  const T *__restrict const d = group > 3 ? from.line(3) : nullptr;
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    to[i * group] = a[i], to[i * group + 1] = b[i];
    if constexpr (group > 2) to[i * group + 2] = c[i];
    if constexpr (group > 3) to[i * group + 3] = d[i];
  }
}
/// Transposes a matrix of two to four columns or rows without gaps. Returns false for others.
template <class T>
bool transposed_groups(std::size_t rows, std::size_t columns, line_view<T> to, line_view<const T> from) {
  if (from.stride == std::int64_t(columns * sizeof(T))) {
    if (columns == 2) return separate_groups<2>(rows, to, from.data), true;
    if (columns == 3) return separate_groups<3>(rows, to, from.data), true;
    if (columns == 4) return separate_groups<4>(rows, to, from.data), true;
  }
  if (to.stride == std::int64_t(rows * sizeof(T))) {
    if (rows == 2) return join_groups<2>(columns, to.data, from), true;
    if (rows == 3) return join_groups<3>(columns, to.data, from), true;
    if (rows == 4) return join_groups<4>(columns, to.data, from), true;
  }
  return false;
}

/// to.line(c)[r] = from.line(r)[c]. Edges are transposed by squares that overlap others. Matrices of few columns or few
/// rows, as lists of points are, are also transposed in registers.
template <class T> void transpose(std::size_t rows, std::size_t columns, line_view<T> to, line_view<const T> from) {
  constexpr std::size_t n = square<T>;
  if (transposed_groups(rows, columns, to, from)) return;
  const auto last = [](std::size_t at, std::size_t count) { return at + n <= count ? at : count - n; };
  if (rows >= n && columns >= n) {
    for (std::size_t r = 0; r < rows; r += n) {
      prefetch_lines(from, r);
      for (std::size_t c = 0; c < columns; c += n) transpose_at(last(r, rows), n, last(c, columns), n, to, from);
    }
  } else if (rows >= n) {
    const std::size_t vector_lines = lines_with_room<T>(rows, columns, from.stride);
    if (vector_lines < n) return transpose_elements(0, rows, 0, columns, to, from);
    for (std::size_t r = 0; r < vector_lines; r += n) {
      prefetch_lines(from, r);
      transpose_at(last(r, vector_lines), n, 0, columns, to, from);
    }
    transpose_elements(vector_lines, rows, 0, columns, to, from);
  } else if (columns >= n && to.stride == std::int64_t(rows * sizeof(T))) {
    // in order: elements that are written beyond the end of a line are overwritten by the next line
    const std::size_t vector_lines = lines_with_room<T>(columns, rows, to.stride) / n * n;
    for (std::size_t c = 0; c < vector_lines; c += n) transpose_at(0, rows, c, n, to, from);
    transpose_elements(0, rows, vector_lines, columns, to, from);
  } else if (columns >= n && stores_parts(rows * sizeof(T))) {
    const std::size_t whole = columns / n * n;
    for (std::size_t c = 0; c < whole; c += n) transpose_to_parts(rows, c, to, from);
    transpose_elements(0, rows, whole, columns, to, from);
  } else {
    transpose_elements(0, rows, 0, columns, to, from);
  }
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
