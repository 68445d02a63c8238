// Products of matrices: tiles of the result are computed in registers, row by row of the right operand.
#include "array/blocks/matrix_block.hpp"
#include "array/blocks/types.hpp"

#include <algorithm>

namespace dpep::array::blocks::DPEP_ISA {
namespace {

using std::int64_t;

/// Numbers, with products and sums as C++ has them; those of unsigned integers wrap.
template <class T> struct real_numbers {
  using number = T;
  static constexpr int parts = 1;
  template <class V> [[gnu::always_inline]] static void add_product(V (&sum)[1], const V (&a)[1], const V (&b)[1]) {
    sum[0] += a[0] * b[0];
  }
};
template <class T> struct complex_numbers {
  using number = T;
  static constexpr int parts = 2;
  template <class V> [[gnu::always_inline]] static void add_product(V (&sum)[2], const V (&a)[2], const V (&b)[2]) {
    sum[0] += a[0] * b[0];
    sum[1] += a[0] * b[1];
    sum[0] -= a[1] * b[1];
    sum[1] += a[1] * b[0];
  }
};
/// Truth values, 0 or 1: the product is `and`, the sum is `or`.
struct truth_values {
  using number = std::uint8_t;
  static constexpr int parts = 1;
  template <class V> [[gnu::always_inline]] static void add_product(V (&sum)[1], const V (&a)[1], const V (&b)[1]) {
    sum[0] |= a[0] & b[0];
  }
};

/// The largest tile: its sums, a row of the right operand and an element of the left one fill the registers.
template <class Ring> struct tile_size {
#if defined(__AVX512F__)
  static constexpr int rows = Ring::parts == 2 ? 4 : 8, vectors = Ring::parts == 2 ? 2 : 3;
#elif defined(__AVX2__)
  static constexpr int rows = Ring::parts == 2 ? 2 : 4, vectors = Ring::parts == 2 ? 2 : 3;
#else
  static constexpr int rows = Ring::parts == 2 ? 2 : 4, vectors = 2;
#endif
};

/// One tile of the result.
struct tile_position {
  int64_t depth;
  const void *left;
  int64_t left_row, left_column;
  const void *right;
  void *result;
  int64_t result_row;
  int64_t columns;
  bool adds;
};

/// The vectors of complex numbers whose real and imaginary parts these are.
template <class V> struct two_vectors {
  V low, high;
};
template <class T, class V, std::size_t... k>
[[gnu::always_inline]] inline two_vectors<V> interleaved(V real, V imaginary, std::index_sequence<k...>) {
  constexpr std::size_t n = lanes<T>;
  return {__builtin_shufflevector(real, imaginary, int(k / 2 + k % 2 * n)...),
          __builtin_shufflevector(real, imaginary, int((k + n) / 2 + k % 2 * n)...)};
}

/// to = values, or to += values.
template <class Ring, class V>
[[gnu::always_inline]] inline void write(typename Ring::number *to, V values, bool adds) {
  if (adds) {
    if constexpr (std::is_same_v<Ring, truth_values>)
      values |= load(to);
    else
      values += load(to);
  }
  __builtin_memcpy(to, &values, sizeof values);
}
template <class Ring, int rows, int vectors, class V>
[[gnu::always_inline]] inline void write_tile(typename Ring::number *to, int64_t row,
                                              const V (&sums)[rows][vectors][Ring::parts], bool adds) {
  using T = typename Ring::number;
  constexpr auto length = int64_t(lanes<T>);
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      T *const at = to + i * row + v * length * Ring::parts;
      if constexpr (Ring::parts == 1) {
        write<Ring>(at, sums[i][v][0], adds);
      } else {
        const auto [low, high] = interleaved<T>(sums[i][v][0], sums[i][v][1], std::make_index_sequence<lanes<T>>());
        write<Ring>(at, low, adds);
        write<Ring>(at + length, high, adds);
      }
    }
}
/// Copies a tile of which only the first `count` numbers of each row belong to the result.
template <class Ring>
[[gnu::noinline]] void copy_part(int64_t rows, int64_t count, const typename Ring::number *from, int64_t from_row,
                                 typename Ring::number *to, int64_t row, bool adds) {
  using T = typename Ring::number;
  for (int64_t i = 0; i < rows; ++i, from += from_row, to += row)
    for (int64_t k = 0; k < count; ++k) {
      if constexpr (std::is_same_v<Ring, truth_values>)
        to[k] = adds ? T(to[k] | from[k]) : from[k];
      else
        to[k] = adds ? T(to[k] + from[k]) : from[k];
    }
}

template <class Ring, int rows, int vectors> void multiply_tile(const tile_position &t) {
  using T = typename Ring::number;
  using V = vector_of<T>;
  constexpr int parts = Ring::parts;
  constexpr auto length = int64_t(lanes<T>);
  T *const result = static_cast<T *>(t.result);
  const int64_t result_row = t.result_row * parts;
  V sums[rows][vectors][parts];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) {
    __builtin_prefetch(result + i * result_row, 1);
    __builtin_prefetch(result + i * result_row + vectors * length * parts - 1, 1);
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v)
#pragma clang loop unroll(full)
      for (int part = 0; part < parts; ++part) sums[i][v][part] = V{};
  }
  const T *left = static_cast<const T *>(t.left), *right = static_cast<const T *>(t.right);
  const int64_t left_row = t.left_row * parts, left_column = t.left_column * parts;
#pragma clang loop unroll_count(2)
  for (int64_t k = 0; k < t.depth; ++k) {
    V b[vectors][parts];
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v)
#pragma clang loop unroll(full)
      for (int part = 0; part < parts; ++part) b[v][part] = load(right + (v * parts + part) * length);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      V a[parts];
#pragma clang loop unroll(full)
      for (int part = 0; part < parts; ++part) a[part] = left[i * left_row + part];
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) Ring::add_product(sums[i][v], a, b[v]);
    }
    left += left_column;
    right += tile_size<Ring>::vectors * parts * length;
  }
  constexpr int64_t whole = vectors * length;
  if (t.columns >= whole) {
    if (t.adds)
      write_tile<Ring, rows, vectors>(result, result_row, sums, true);
    else
      write_tile<Ring, rows, vectors>(result, result_row, sums, false);
    return;
  }
  alignas(64) T part[rows * whole * parts];
  write_tile<Ring, rows, vectors>(part, whole * parts, sums, false);
  copy_part<Ring>(rows, t.columns * parts, part, whole * parts, result, result_row, t.adds);
}

/// The tiles of some rows of the result, 8, 4, 2 or 1, and the columns of one panel.
template <class Ring, int rows> [[gnu::always_inline]] inline void multiply_rows(const tile_position &t) {
  constexpr auto length = int64_t(lanes<typename Ring::number>);
  if constexpr (tile_size<Ring>::vectors == 3)
    if (t.columns > 2 * length) return multiply_tile<Ring, rows, 3>(t);
  if (t.columns > length) return multiply_tile<Ring, rows, 2>(t);
  multiply_tile<Ring, rows, 1>(t);
}

template <class Ring> void multiply(const matrix_block &m) {
  using T = typename Ring::number;
  constexpr int parts = Ring::parts, tile_rows = tile_size<Ring>::rows;
  constexpr int64_t tile_columns = tile_size<Ring>::vectors * int64_t(lanes<T>);
  for (int64_t j = 0; j < m.columns; j += tile_columns) {
    tile_position t{.depth = m.depth,
                    .left = nullptr,
                    .left_row = m.left_row,
                    .left_column = m.left_column,
                    .right = static_cast<const T *>(m.right) + j / tile_columns * m.right_panel * parts,
                    .result = nullptr,
                    .result_row = m.result_row,
                    .columns = std::min(tile_columns, m.columns - j),
                    .adds = m.adds};
    const auto *left = static_cast<const T *>(m.left);
    T *result = static_cast<T *>(m.result) + j * parts;
    const auto next = [&](int rows) {
      t.left = left, t.result = result;
      left += rows * m.left_row * parts;
      result += rows * m.result_row * parts;
    };
    int64_t i = 0;
    for (; i + tile_rows <= m.rows; i += tile_rows) {
      left = static_cast<const T *>(m.left) + i / tile_rows * m.left_panel * parts;
      next(tile_rows);
      multiply_rows<Ring, tile_rows>(t);
    }
    left = static_cast<const T *>(m.left) + i / tile_rows * m.left_panel * parts;
    if constexpr (tile_rows > 4)
      if ((m.rows - i) & 4) next(4), multiply_rows<Ring, 4>(t);
    if constexpr (tile_rows > 2)
      if ((m.rows - i) & 2) next(2), multiply_rows<Ring, 2>(t);
    if ((m.rows - i) & 1) next(1), multiply_rows<Ring, 1>(t);
  }
}

template <class Ring> constexpr matrix_kernel kernel() {
  constexpr auto length = int(lanes<typename Ring::number>);
  return {multiply<Ring>, tile_size<Ring>::rows, tile_size<Ring>::vectors * length, length};
}

constexpr matrix_kernels make() {
  matrix_kernels all{};
  const auto at = [&](dtype t) -> matrix_kernel & { return all.kernels[std::size_t(t)]; };
  at(dtype::boolean) = kernel<truth_values>();
  at(dtype::int16) = at(dtype::uint16) = kernel<real_numbers<std::uint16_t>>();
  at(dtype::int32) = at(dtype::uint32) = kernel<real_numbers<std::uint32_t>>();
  at(dtype::int64) = at(dtype::uint64) = kernel<real_numbers<std::uint64_t>>();
  at(dtype::float32) = kernel<real_numbers<float>>();
  at(dtype::float64) = kernel<real_numbers<double>>();
  at(dtype::complex64) = kernel<complex_numbers<float>>();
  at(dtype::complex128) = kernel<complex_numbers<double>>();
  return all;
}
constexpr matrix_kernels table = make();

}  // namespace

const matrix_kernels matrices = table;

}  // namespace dpep::array::blocks::DPEP_ISA
