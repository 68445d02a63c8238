// Strided copies between memory and blocks.
#include <cstring>

#include "array/blocks/transpose.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// Elements that are `step` bytes apart.
template <class T> struct line {
  char *data;
  std::int64_t step;
};

/// With constant distances, the compiler vectorises the loop.
template <class T, int to_step, int from_step> void copy_at_fixed_steps(std::size_t count, char *to, const char *from) {
  T *const target = reinterpret_cast<T *>(to);
  const T *const source = reinterpret_cast<const T *>(from);
  DPEP_VECTOR_LOOP
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(count); ++i) target[i * to_step] = source[i * from_step];
}

/// Reads every second element. The last vector overlaps the one before: rows are often not much longer than a vector.
template <class T> void copy_every_second(std::size_t count, char *to, const char *from) {
  constexpr std::size_t n = register_bytes / sizeof(T);
  if constexpr (sizeof(T) < 4 || sizeof(T) > 8) {
    copy_at_fixed_steps<T, 1, 2>(count, to, from);
  } else {
    if (count < n) return copy_at_fixed_steps<T, 1, 2>(count, to, from);
    using vector __attribute__((ext_vector_type(n))) = T;
    const auto copy_vector = [&]<std::size_t... j>(std::size_t i,
                                                   std::index_sequence<j...>) __attribute__((always_inline)) {
      const char *const first = from + 2 * i * sizeof(T);
      vector low, high;  // the second one ends with the last element that is copied
      __builtin_memcpy(&low, first, sizeof low);
      __builtin_memcpy(&high, first + (n - 1) * sizeof(T), sizeof high);
      const vector both = __builtin_shufflevector(low, high, int(2 * j < n ? 2 * j : 2 * j + 1)...);
      __builtin_memcpy(to + i * sizeof(T), &both, sizeof both);
    };
    std::size_t i = 0;
    for (; i + n <= count; i += n) copy_vector(i, std::make_index_sequence<n>());
    if (i < count) copy_vector(count - n, std::make_index_sequence<n>());
  }
}

#ifdef __AVX512BW__
/// Writes the part `k` of the elements of a vector that are written `step` elements apart: a vector of which only those
/// elements are stored.
template <int step, int k, class T, class Vector, std::size_t... j>
[[gnu::always_inline]] inline void store_part(Vector values, T *to, std::index_sequence<j...>) {
  constexpr int n = int(sizeof...(j));
  using mask __attribute__((ext_vector_type(sizeof...(j)))) = bool;
  const Vector spread = __builtin_shufflevector(values, values, (k * n + int(j)) / step...);
  const mask written = {(k * n + int(j)) % step == 0 ...};
  __builtin_masked_store(written, spread, to + k * n);
}
template <class T, int step, int... k>
[[gnu::always_inline]] inline std::size_t spread_vectors(std::size_t count, T *to, const T *from,
                                                         std::integer_sequence<int, k...>) {
  constexpr std::size_t n = register_bytes / sizeof(T);
  using vector __attribute__((ext_vector_type(n))) = T;
  std::size_t i = 0;
  for (; i + n <= count; i += n) {
    vector values;
    __builtin_memcpy(&values, from + i, sizeof values);
    (store_part<step, k>(values, to + std::ptrdiff_t(i) * step, std::make_index_sequence<n>()), ...);
  }
  return i;
}
#endif

/// Writes contiguous elements to places that are `step` elements apart.
template <class T, int step> void spread(std::size_t count, char *to, const char *from) {
  std::size_t done = 0;
#ifdef __AVX512BW__
  if constexpr (sizeof(T) <= 8)
    done = spread_vectors<T, step>(count, reinterpret_cast<T *>(to), reinterpret_cast<const T *>(from),
                                   std::make_integer_sequence<int, step>());
#endif
  copy_at_fixed_steps<T, step, 1>(count - done, to + done * step * sizeof(T), from + done * sizeof(T));
}

template <class T> void copy_line(std::size_t count, line<T> to, line<const T> from) {
  constexpr std::int64_t size = sizeof(T);
  if (to.step == size) {
    if (from.step == size) {
      if (count * sizeof(T) >= 256)
        std::memcpy(to.data, from.data, count * sizeof(T));
      else
        copy_at_fixed_steps<T, 1, 1>(count, to.data, from.data);
      return;
    }
    if (from.step == 0) return copy_at_fixed_steps<T, 1, 0>(count, to.data, from.data);
    if (from.step == 2 * size) return copy_every_second<T>(count, to.data, from.data);
    if (from.step == 3 * size) return copy_at_fixed_steps<T, 1, 3>(count, to.data, from.data);
    if (from.step == 4 * size) return copy_at_fixed_steps<T, 1, 4>(count, to.data, from.data);
    if (from.step == -size) return copy_at_fixed_steps<T, 1, -1>(count, to.data, from.data);
  } else if (to.step == 2 * size && from.step == size) {
    return spread<T, 2>(count, to.data, from.data);
  } else if (to.step == 3 * size && from.step == size) {
    return spread<T, 3>(count, to.data, from.data);
  } else if (to.step == 4 * size && from.step == size) {
    return spread<T, 4>(count, to.data, from.data);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const T value = *reinterpret_cast<const T *>(from.data);
    *reinterpret_cast<T *>(to.data) = value;
    to.data += to.step, from.data += from.step;
  }
}

/// Copies rows of `bytes` to twice as many, each by two moves, which may overlap.
template <std::size_t half>
void copy_short_rows(std::size_t rows, std::size_t bytes, const strided &to, const strided &from) {
  char *target = static_cast<char *>(to.data);
  const char *source = static_cast<const char *>(from.data);
  const std::size_t second = bytes - half;
  for (std::size_t r = 0; r < rows; ++r, target += to.row_stride, source += from.row_stride) {
    char first[half], last[half];
    __builtin_memcpy(first, source, half);
    __builtin_memcpy(last, source + second, half);
    __builtin_memcpy(target, first, half);
    __builtin_memcpy(target + second, last, half);
  }
}
/// Copies rows of a few bytes that are contiguous on both sides. Returns false for others.
bool copied_short_rows(std::size_t rows, std::size_t bytes, const strided &to, const strided &from) {
  if (bytes < 2 || bytes > 128) return false;
  if (bytes <= 4)
    copy_short_rows<2>(rows, bytes, to, from);
  else if (bytes <= 8)
    copy_short_rows<4>(rows, bytes, to, from);
  else if (bytes <= 16)
    copy_short_rows<8>(rows, bytes, to, from);
  else if (bytes <= 32)
    copy_short_rows<16>(rows, bytes, to, from);
  else if (bytes <= 64)
    copy_short_rows<32>(rows, bytes, to, from);
  else
    copy_short_rows<64>(rows, bytes, to, from);
  return true;
}

template <class T> void copy(std::size_t rows, std::size_t columns, strided to, strided from) {
  constexpr std::int64_t size = sizeof(T);
  const auto swap_axes = [&] {
    std::swap(rows, columns);
    std::swap(to.row_stride, to.column_stride);
    std::swap(from.row_stride, from.column_stride);
  };
  if (rows == 1 && columns > 1)
    to.row_stride = from.row_stride = 0;
  else if (columns == 1 && rows > 1)
    swap_axes();
  else if (from.row_stride == size && to.column_stride == size && from.column_stride != size)
    swap_axes();
  if (sizeof(T) <= 8 && rows > 1 && columns > 1 && from.column_stride == size && to.row_stride == size &&
      to.column_stride != size) {
    if constexpr (sizeof(T) <= 8)
      transpose<T>(rows, columns, line_view<T>{static_cast<T *>(to.data), to.column_stride},
                   line_view<const T>{static_cast<const T *>(from.data), from.row_stride});
    return;
  }
  // The inner loop is along the axis that is contiguous, preferably in the destination; otherwise along the longer one.
  const auto rank = [&](std::int64_t to_stride, std::int64_t from_stride) {
    return 2 * (to_stride == size) + (from_stride == size);
  };
  const int along_columns = rank(to.column_stride, from.column_stride),
            along_rows = rank(to.row_stride, from.row_stride);
  if (along_rows > along_columns || (along_rows == along_columns && rows > 4 * columns)) swap_axes();
  if (from.column_stride == size && to.column_stride == size && from.row_stride == to.row_stride &&
      from.row_stride == std::int64_t(columns) * size) {
    columns *= rows;
    rows = 1;
  }
  if (rows > 1 && from.column_stride == size && to.column_stride == size &&
      copied_short_rows(rows, columns * sizeof(T), to, from))
    return;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = std::int64_t(r);
    copy_line<T>(columns, {static_cast<char *>(to.data) + row * to.row_stride, to.column_stride},
                 {static_cast<char *>(from.data) + row * from.row_stride, from.column_stride});
  }
}

}  // namespace

constexpr copy_kernels copy_table = {{copy<raw<1>>, copy<raw<2>>, copy<raw<4>>, copy<raw<8>>, copy<raw<16>>}};
const copy_kernels copies = copy_table;

}  // namespace dpep::array::blocks::DPEP_ISA
