// Copies of matrices between row-major and column-major memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "libs/lapack.hpp"

namespace dpep::array::cpu {

/// to[j * rows + i] = from[i * columns + j]: the row-major matrix in column-major memory, in blocks that fit the cache.
template <class T> void transpose(const T *from, std::int64_t rows, std::int64_t columns, T *to) {
  constexpr std::int64_t block = 16;
  for (std::int64_t i0 = 0; i0 < rows; i0 += block)
    for (std::int64_t j0 = 0; j0 < columns; j0 += block) {
      const std::int64_t i1 = std::min(i0 + block, rows), j1 = std::min(j0 + block, columns);
      for (std::int64_t i = i0; i < i1; ++i)
        for (std::int64_t j = j0; j < j1; ++j) to[j * rows + i] = from[i * columns + j];
    }
}

template <class T> T conjugate(const T &x) noexcept {
  if constexpr (libs::is_complex<T>)
    return std::conj(x);
  else
    return x;
}

/// a[i, j] = of(a[j, i]) for a square matrix, in place.
template <class T, class F> void transpose_in_place(T *a, std::int64_t n, F of) {
  constexpr std::int64_t block = 16;
  for (std::int64_t i0 = 0; i0 < n; i0 += block)
    for (std::int64_t j0 = 0; j0 <= i0; j0 += block)
      for (std::int64_t i = i0; i < std::min(i0 + block, n); ++i)
        for (std::int64_t j = j0; j < std::min(j0 + block, i); ++j) {
          const T lower = a[i * n + j];
          a[i * n + j] = of(a[j * n + i]);
          a[j * n + i] = of(lower);
        }
  for (std::int64_t i = 0; i < n; ++i) a[i * n + i] = of(a[i * n + i]);
}

}  // namespace dpep::array::cpu
