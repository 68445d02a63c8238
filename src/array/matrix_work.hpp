// An operation of linear algebra on a batch of matrices, as executors get it.
#pragma once

#include <cstdint>
#include <limits>

#include <dpep/array_linalg.hpp>

namespace dpep::array {

/// What is computed of each m x n matrix a. Vectors are columns. y and z are real unless stated otherwise.
enum class matrix_operation : std::uint8_t {
  solve,             // x (n, k) = a^-1 b
  invert,            // x (n, n) = a^-1; NaN for singular matrices
  determinant,       // x = det a
  log_determinant,   // x = its sign, y = the logarithm of its absolute value
  cholesky,          // x (n, n) = the triangular factor
  qr,                // x (m, columns of Q) = Q, y (rows of R, n) = R, of the type of a
  qr_raw,            // x (n, m) = Householder reflectors and R, column-major; y (min(m, n)) = their factors, as R
  svd,               // x (m, columns of U) = U, y (min(m, n)) = singular values, z (rows of Vh, n) = Vh
  eigh,              // y (n) = eigenvalues, x (n, n) = eigenvectors
  eig,               // y (n) = eigenvalues, x (n, n) = eigenvectors; both complex
  lu,                // x (m, n) = L below the diagonal and U; pivots (min(m, n))
  lu_solve,          // x (n, k) = op(L U)^-1 b for a and pivots, results of lu
  solve_triangular,  // x (n, k) = op(a)^-1 b
  least_squares,  // x (n, k) = argmin |a x - b|, y (k) = sums of squares of residuals, z (min(m, n)) = singular values
};

/// The report of a matrix with elements that the operation refuses: for svd NaN, for least_squares, eig and eigh (in
/// the triangle that it reads) NaN and infinity. LAPACK does not look for them in all versions.
inline constexpr std::int64_t not_finite = std::numeric_limits<std::int64_t>::max();

struct matrix_work {
  matrix_operation what{};
  dtype type{};                // of a, b
  bool vectors = true;         // svd: x and z; eigh, eig, qr: x
  bool full = false;           // qr, svd: square Q, U and Vh
  bool upper = false;          // cholesky, eigh, solve_triangular: the triangle of a that is read, and of the factor
  bool unit_diagonal = false;  // solve_triangular: the diagonal counts as ones and is not read
  transposition op = transposition::none;  // lu_solve, solve_triangular
  double condition = -1;      // least_squares: singular values below this times the largest one count as zero
  std::int64_t count = 1;     // matrices
  std::int64_t m = 0, n = 0;  // rows and columns of a
  std::int64_t k = 0;         // columns of b
  // Row-major and in memory, of one queue; those that are not needed are empty. A batch has its axes first.
  ndarray a, b, x, y, z;
  /// int64, of each matrix: 0, or a positive number if the matrix is singular or not positive definite, if the
  /// iteration does not converge, or `not_finite`. May be empty.
  ndarray info;
  ndarray rank;    // least_squares: int64
  ndarray pivots;  // lu, lu_solve: int64, from 0: row i was exchanged with row pivots[i], one after the other
};

}  // namespace dpep::array
