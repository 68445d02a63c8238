// Products of matrices that are not packed: the last vector of a row is read and written under a mask.
#pragma once

#include <algorithm>

#include "array/blocks/matrix_block.hpp"
#include "array/blocks/matrix_numbers.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

#if defined(__AVX512F__)
template <class Ring> constexpr bool has_masks = true;
#elif defined(__AVX2__)
template <class Ring> constexpr bool has_masks = sizeof(typename Ring::number) >= 4;
#else
template <class Ring> constexpr bool has_masks = false;
#endif

template <class T> struct mask_type {
  using type __attribute__((ext_vector_type(register_bytes / sizeof(T)))) = bool;
};
template <class T> using mask_of = typename mask_type<T>::type;
template <class T> [[gnu::always_inline]] inline mask_of<T> first_lanes(int64_t count) {
  using I = std::make_signed_t<raw<sizeof(T)>>;
  const auto numbers = [&]<std::size_t... k>(std::index_sequence<k...>) {
    return vector_of<I>{I(k)...};
  }(std::make_index_sequence<lanes<T>>());
  return __builtin_convertvector(numbers < vector_of<I>(I(count)), mask_of<T>);
}

/// The sum of a vector's elements, in pairs.
template <class Ring, class V> [[gnu::always_inline]] inline typename Ring::number total(V sums) {
  using T = typename Ring::number;
  T parts[lanes<T>];
  __builtin_memcpy(parts, &sums, sizeof sums);
#pragma clang loop unroll(full)
  for (std::size_t n = lanes<T> / 2; n > 0; n /= 2)
#pragma clang loop unroll(full)
    for (std::size_t k = 0; k < n; ++k) parts[k] = Ring::sum(parts[k], parts[k + n]);
  return parts[0];
}

// -- Packing

template <class Ring, int vectors> void pack_rows(const matrix_rows &m) {
  using T = typename Ring::number;
  using V = vector_of<T>;
  constexpr auto length = int64_t(lanes<T>);
  constexpr int parts = Ring::parts;
  const int64_t left = (m.columns - (vectors - 1) * length) * parts;  // numbers of the last vector, or of both
  const auto last = first_lanes<T>(std::min(left, length)),
             beyond = first_lanes<T>(std::max<int64_t>(left - length, 0));
  const T *from = static_cast<const T *>(m.from);
  T *to = static_cast<T *>(m.to);
  for (int64_t k = 0; k < m.rows; ++k) {
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) {
      const T *const at = from + v * length * parts;
      T *const target = to + v * length * parts;
      const bool whole = v + 1 < vectors;
      const V low = whole ? load(at) : __builtin_masked_load(last, at, V{});
      if constexpr (parts == 1) {
        __builtin_memcpy(target, &low, sizeof low);
      } else {
        const V high = whole ? load(at + length) : __builtin_masked_load(beyond, at + length, V{});
        const auto [real, imaginary] = separated<T>(low, high, std::make_index_sequence<lanes<T>>());
        __builtin_memcpy(target, &real, sizeof real);
        __builtin_memcpy(target + length, &imaginary, sizeof imaginary);
      }
    }
    from += m.from_row * parts;
    to += tile_size<Ring>::vectors * length * parts;
  }
}

template <class Ring> void pack(const matrix_rows &m) {
  constexpr auto length = int64_t(lanes<typename Ring::number>);
  if constexpr (tile_size<Ring>::vectors == 3)
    if (m.columns > 2 * length) return pack_rows<Ring, 3>(m);
  if (m.columns > length) return pack_rows<Ring, 2>(m);
  pack_rows<Ring, 1>(m);
}

// -- Few columns: as many as a tile has

/// A tile of rows of the left operand and the columns of `vectors` vectors, of which the last one is masked.
template <class Ring, int rows, int vectors>
[[gnu::always_inline]] inline void multiply_masked(const matrix_batch &m, const typename Ring::number *left,
                                                   const typename Ring::number *right, typename Ring::number *result,
                                                   mask_of<typename Ring::number> last) {
  using T = typename Ring::number;
  using V = vector_of<T>;
  constexpr auto length = int64_t(lanes<T>);
  V sums[rows][vectors][1];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; ++v) sums[i][v][0] = V{};
#pragma clang loop unroll(disable)
  for (int64_t k = 0; k < m.depth; ++k) {
    V b[vectors][1];
#pragma clang loop unroll(full)
    for (int v = 0; v + 1 < vectors; ++v) b[v][0] = load(right + v * length);
    b[vectors - 1][0] = __builtin_masked_load(last, right + (vectors - 1) * length, V{});
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      const V a[1] = {V(left[i * m.left_row])};
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; ++v) Ring::add_product(sums[i][v], a, b[v]);
    }
    left += m.left_column;
    right += m.right_row;
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) {
#pragma clang loop unroll(full)
    for (int v = 0; v + 1 < vectors; ++v) write<Ring>(result + i * m.result_row + v * length, sums[i][v][0], false);
    __builtin_masked_store(last, sums[i][vectors - 1][0], result + i * m.result_row + (vectors - 1) * length);
  }
}

/// Rows of the left operand, which are contiguous, with a vector.
template <class Ring, int rows>
[[gnu::always_inline]] inline void multiply_vector(const matrix_batch &m, const typename Ring::number *left,
                                                   const typename Ring::number *right, typename Ring::number *result) {
  using T = typename Ring::number;
  using V = vector_of<T>;
  constexpr auto length = int64_t(lanes<T>);
  V sums[rows][1];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) sums[i][0] = V{};
  int64_t k = 0;
  for (; k + length <= m.depth; k += length) {
    const V b[1] = {load(right + k)};
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      const V a[1] = {load(left + i * m.left_row + k)};
      Ring::add_product(sums[i], a, b);
    }
  }
  if (k < m.depth) {
    const auto last = first_lanes<T>(m.depth - k);
    const V b[1] = {__builtin_masked_load(last, right + k, V{})};
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      const V a[1] = {__builtin_masked_load(last, left + i * m.left_row + k, V{})};
      Ring::add_product(sums[i], a, b);
    }
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < rows; ++i) result[i * m.result_row] = total<Ring>(sums[i][0]);
}

/// Calls `tile.operator()<rows>` for the rows of each matrix in groups of a tile's rows, then of 4, 2 and 1.
template <class Ring, class Tile> [[gnu::always_inline]] inline void each_tile(const matrix_batch &m, Tile tile) {
  using T = typename Ring::number;
  constexpr int tile_rows = tile_size<Ring>::rows;
  for (int64_t matrix = 0; matrix < m.count; ++matrix) {
    const T *left = static_cast<const T *>(m.left) + matrix * m.left_matrix;
    const T *const right = static_cast<const T *>(m.right) + matrix * m.right_matrix;
    T *result = static_cast<T *>(m.result) + matrix * m.result_matrix;
    const auto next = [&]<int rows> {
      tile.template operator()<rows>(left, right, result);
      left += rows * m.left_row;
      result += rows * m.result_row;
    };
    for (int64_t i = 0; i + tile_rows <= m.rows; i += tile_rows) next.template operator()<tile_rows>();
    if constexpr (tile_rows > 4)
      if (m.rows & 4) next.template operator()<4>();
    if constexpr (tile_rows > 2)
      if (m.rows & 2) next.template operator()<2>();
    if (m.rows & 1) next.template operator()<1>();
  }
}

template <class Ring, int vectors> void multiply_few_columns(const matrix_batch &m) {
  using T = typename Ring::number;
  const auto last = first_lanes<T>(m.columns - (vectors - 1) * int64_t(lanes<T>));
  each_tile<Ring>(m, [&]<int rows>(const T *left, const T *right, T *result) {
    multiply_masked<Ring, rows, vectors>(m, left, right, result, last);
  });
}

template <class Ring> void multiply_batch(const matrix_batch &m) {
  using T = typename Ring::number;
  constexpr auto length = int64_t(lanes<T>);
  if (m.columns == 1 && m.left_column == 1 && m.right_row == 1)
    return each_tile<Ring>(m, [&]<int rows>(const T *left, const T *right, T *result) {
      multiply_vector<Ring, rows>(m, left, right, result);
    });
  if constexpr (tile_size<Ring>::vectors == 3)
    if (m.columns > 2 * length) return multiply_few_columns<Ring, 3>(m);
  if (m.columns > length) return multiply_few_columns<Ring, 2>(m);
  multiply_few_columns<Ring, 1>(m);
}

// -- Few rows of any length: several rows of the right operand are added to the result at a time

template <class Ring, int terms>
[[gnu::always_inline]] inline void add_rows(const matrix_batch &m, const typename Ring::number *left,
                                            const typename Ring::number *right, typename Ring::number *result,
                                            bool adds) {
  using T = typename Ring::number;
  using V = vector_of<T>;
  constexpr auto length = int64_t(lanes<T>);
  V a[terms][1];
#pragma clang loop unroll(full)
  for (int k = 0; k < terms; ++k) a[k][0] = V(left[k * m.left_column]);
  int64_t j = 0;
  for (; j + length <= m.columns; j += length) {
    V sum[1] = {adds ? load(result + j) : V{}};
#pragma clang loop unroll(full)
    for (int k = 0; k < terms; ++k) {
      const V b[1] = {load(right + k * m.right_row + j)};
      Ring::add_product(sum, a[k], b);
    }
    write<Ring>(result + j, sum[0], false);
  }
  if (j == m.columns) return;
  const auto last = first_lanes<T>(m.columns - j);
  V sum[1] = {adds ? __builtin_masked_load(last, result + j, V{}) : V{}};
#pragma clang loop unroll(full)
  for (int k = 0; k < terms; ++k) {
    const V b[1] = {__builtin_masked_load(last, right + k * m.right_row + j, V{})};
    Ring::add_product(sum, a[k], b);
  }
  __builtin_masked_store(last, sum[0], result + j);
}

template <class Ring> void multiply_long_rows(const matrix_batch &m) {
  using T = typename Ring::number;
  for (int64_t matrix = 0; matrix < m.count; ++matrix) {
    const T *const left = static_cast<const T *>(m.left) + matrix * m.left_matrix;
    const T *const right = static_cast<const T *>(m.right) + matrix * m.right_matrix;
    T *const result = static_cast<T *>(m.result) + matrix * m.result_matrix;
    const auto add = [&]<int terms>(int64_t k) {
      for (int64_t i = 0; i < m.rows; ++i)
        add_rows<Ring, terms>(m, left + i * m.left_row + k * m.left_column, right + k * m.right_row,
                              result + i * m.result_row, k > 0);
    };
    int64_t k = 0;
    for (; k + 8 <= m.depth; k += 8) add.template operator()<8>(k);
    if (m.depth & 4) add.template operator()<4>(k), k += 4;
    if (m.depth & 2) add.template operator()<2>(k), k += 2;
    if (m.depth & 1) add.template operator()<1>(k);
  }
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
