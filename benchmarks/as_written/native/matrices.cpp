// The programs of matrices and their sums as hand-written loops: transposed tiles, and sums along leading axes whose
// columns stay in registers.
#include "loops.hpp"

namespace {

constexpr count tile_rows = 16, tile_columns = 128;

/// The tile of the transpose of a square matrix whose first element is (row, column).
void transposed_tile(const double *A, count n, count row, count column, double (*t)[tile_columns]) {
  const count rows = std::min(tile_rows, n - row), columns = std::min(tile_columns, n - column);
  const count whole_rows = rows / 4 * 4, whole_columns = columns / 4 * 4;
  for (count j = 0; j < whole_columns; j += 4)
    for (count i = 0; i < whole_rows; i += 4) {
      const double *from = A + (column + j) * n + row + i;
      four a = load(from), b = load(from + n), c = load(from + 2 * n), d = load(from + 3 * n);
      transpose(a, b, c, d);
      store(&t[i][j], a);
      store(&t[i + 1][j], b);
      store(&t[i + 2][j], c);
      store(&t[i + 3][j], d);
    }
  for (count i = 0; i < rows; i++)
    for (count j = i < whole_rows ? whole_columns : 0; j < columns; j++) t[i][j] = A[(column + j) * n + row + i];
}

}  // namespace

extern "C" {

/// B = ((A.T * w).T + A) / max(A) - A.T, and the sums of its rows.
void transposed_products(const double *A, const double *w, double *B, double *total, count n) {
  double largest = A[0];
#pragma omp parallel for simd schedule(static) reduction(max : largest) if (n * n > few)
  for (count i = 0; i < n * n; i++) largest = A[i] > largest ? A[i] : largest;
#pragma omp parallel for schedule(static) if (n * n > few)
  for (count row = 0; row < n; row += tile_rows) {
    double t[tile_rows][tile_columns], sums[tile_rows] = {};
    const count rows = std::min(tile_rows, n - row);
    for (count column = 0; column < n; column += tile_columns) {
      const count columns = std::min(tile_columns, n - column);
      transposed_tile(A, n, row, column, t);
      for (count i = 0; i < rows; i++) {
        const double *a = A + (row + i) * n + column, factor = (w[row + i] + 1) / largest;
        double *b = B + (row + i) * n + column, sum = 0;
#pragma omp simd reduction(+ : sum)
        for (count j = 0; j < columns; j++) sum += b[j] = a[j] * factor - t[i][j];
        sums[i] += sum;
      }
    }
    std::copy_n(sums, rows, total + row);
  }
}

/// The symmetric part of a matrix, its norm, and that of the other part.
void symmetric_part(const double *A, double *s, double *k, double *S, count n) {
  double even = 0, odd = 0;
#pragma omp parallel for schedule(static) reduction(+ : even, odd) if (n * n > few)
  for (count row = 0; row < n; row += tile_rows) {
    double t[tile_rows][tile_columns];
    const count rows = std::min(tile_rows, n - row);
    for (count column = 0; column < n; column += tile_columns) {
      const count columns = std::min(tile_columns, n - column);
      transposed_tile(A, n, row, column, t);
      for (count i = 0; i < rows; i++) {
        const double *a = A + (row + i) * n + column;
        double *b = S + (row + i) * n + column;
#pragma omp simd reduction(+ : even, odd)
        for (count j = 0; j < columns; j++) {
          const double sum = 0.5 * (a[j] + t[i][j]), difference = 0.5 * (a[j] - t[i][j]);
          b[j] = sum;
          even += sum * sum;
          odd += difference * difference;
        }
      }
    }
  }
  *s = std::sqrt(even);
  *k = std::sqrt(odd);
}

/// J * sum(J * J, 0)[None] - sum(J, 1) of four planes: a pass for the sums along rows, and one for the rest.
void sums_over_axes(const double *J, double *y, count rows, count columns) {
  constexpr count planes = 4, strip = 80;
  const count plane = rows * columns;
  double *sums = scratch<double>(planes * columns);
#pragma omp parallel if (planes * plane > few)
  {
#pragma omp for schedule(static) collapse(2)
    for (count p = 0; p < planes; p++)
      for (count column = 0; column < columns; column += strip) {
        const count size = std::min(strip, columns - column);
        const double *a = J + p * plane + column;
        double sum[strip] = {};
        for (count i = 0; i < rows; i++)
#pragma omp simd
          for (count j = 0; j < size; j++) sum[j] += a[i * columns + j];
        std::copy_n(sum, size, sums + p * columns + column);
      }
#pragma omp for schedule(static)
    for (count i = 0; i < rows; i++) {
      const double *a = J + i * columns, *b = a + plane, *c = b + plane, *d = c + plane;
      double *w = y + i * columns;
#pragma omp simd
      for (count j = 0; j < columns; j++) {
        const double squares = a[j] * a[j] + b[j] * b[j] + c[j] * c[j] + d[j] * d[j];
        w[j] = a[j] * squares - sums[j];
        w[plane + j] = b[j] * squares - sums[columns + j];
        w[2 * plane + j] = c[j] * squares - sums[2 * columns + j];
        w[3 * plane + j] = d[j] * squares - sums[3 * columns + j];
      }
    }
  }
}
}
