// Products of matrices: tiles of the result are computed in registers, row by row of the right operand.
#include <algorithm>

#include "array/blocks/matrix_plain.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// One tile of the result, of a packed right operand.
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

/// `packs_left`: the left operand is packed, too, so that its strides are constants.
template <class Ring, int rows, int vectors, bool packs_left = false> void multiply_tile(const tile_position &t) {
  using T = typename Ring::number;
  using V = vector_of<T>;
  constexpr int parts = Ring::parts;
  constexpr auto length = int64_t(lanes<T>);
  T *const result = static_cast<T *>(t.result);
  const int64_t result_row = t.result_row * parts;
  V sums[rows][vectors][parts];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) {
    for (int v = 0; v < vectors * parts; ++v) __builtin_prefetch(result + i * result_row + v * length, 1);
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v)
#pragma clang loop unroll(full)
      for (int part = 0; part < parts; ++part) sums[i][v][part] = V{};
  }
  const T *left = static_cast<const T *>(t.left), *right = static_cast<const T *>(t.right);
  const int64_t left_row = (packs_left ? 1 : t.left_row) * parts;
  const int64_t left_column = (packs_left ? tile_size<Ring>::rows : t.left_column) * parts;
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
  constexpr int most = tile_size<Ring>::vectors;
  if constexpr (rows == tile_size<Ring>::rows)
    if (t.columns == most * length && t.left_row == 1 && t.left_column == rows)
      return multiply_tile<Ring, rows, most, true>(t);
  if constexpr (most == 3)
    if (t.columns > 2 * length) return multiply_tile<Ring, rows, 3>(t);
  if (t.columns > length) return multiply_tile<Ring, rows, 2>(t);
  multiply_tile<Ring, rows, 1>(t);
}

/// The tiles of all rows from `begin` on and of one panel's columns.
template <class Ring> void multiply_panel(const matrix_block &m, int64_t j, int64_t begin, int64_t end) {
  using T = typename Ring::number;
  constexpr int parts = Ring::parts, tile_rows = tile_size<Ring>::rows;
  constexpr int64_t tile_columns = tile_size<Ring>::vectors * int64_t(lanes<T>);
  tile_position t{.depth = m.depth,
                  .left = nullptr,
                  .left_row = m.left_row,
                  .left_column = m.left_column,
                  .right = static_cast<const T *>(m.right) + j / tile_columns * m.right_panel * parts,
                  .result = nullptr,
                  .result_row = m.result_row,
                  .columns = std::min(tile_columns, m.columns - j),
                  .adds = m.adds};
  const auto *left = static_cast<const T *>(m.left) + begin / tile_rows * m.left_panel * parts;
  T *result = static_cast<T *>(m.result) + (begin * m.result_row + j) * parts;
  int64_t i = begin;
  for (; i + tile_rows <= end; i += tile_rows) {
    t.left = left, t.result = result;
    multiply_rows<Ring, tile_rows>(t);
    left += m.left_panel * parts;
    result += tile_rows * m.result_row * parts;
  }
  const auto next = [&](int rows) {
    t.left = left, t.result = result;
    left += rows * m.left_row * parts;
    result += rows * m.result_row * parts;
  };
  if constexpr (tile_rows > 4)
    if ((end - i) & 4) next(4), multiply_rows<Ring, 4>(t);
  if constexpr (tile_rows > 2)
    if ((end - i) & 2) next(2), multiply_rows<Ring, 2>(t);
  if ((end - i) & 1) next(1), multiply_rows<Ring, 1>(t);
}

template <class Ring> void multiply(const matrix_block &m) {
  // With a small depth, the work is writing the result, which is done row by row.
  constexpr int64_t small_depth = 32;
  constexpr int tile_rows = tile_size<Ring>::rows;
  constexpr int64_t tile_columns = tile_size<Ring>::vectors * int64_t(lanes<typename Ring::number>);
  const int64_t rows = m.depth <= small_depth ? tile_rows : m.rows;
  for (int64_t i = 0; i < m.rows; i += rows)
    for (int64_t j = 0; j < m.columns; j += tile_columns) multiply_panel<Ring>(m, j, i, std::min(i + rows, m.rows));
}

template <class Ring> constexpr matrix_kernel kernel() {
  constexpr auto length = int(lanes<typename Ring::number>);
  matrix_kernel k{multiply<Ring>, tile_size<Ring>::rows, tile_size<Ring>::vectors * length, length, nullptr, nullptr,
                  nullptr};
  if constexpr (has_masks<Ring>) k.pack = pack<Ring>;
  if constexpr (has_masks<Ring> && Ring::parts == 1) {
    k.multiply_batch = multiply_batch<Ring>;
    k.multiply_rows = multiply_long_rows<Ring>;
  }
  return k;
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
