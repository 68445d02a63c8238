// Linear algebra: matrices are the last two axes of an array, and functions apply to each matrix.
//
// All take arrays of floating-point or complex numbers; others are converted to the device's default floating-point
// dtype, and float16 is refused (refusal::type). refusal::linear_algebra for arrays of less than two dimensions, and
// for matrices of the wrong shape. errc::feature_not_supported if no library is installed that has the operation.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

// Functions whose result says so with a refusal wait for the computation: refusal::linear_algebra for a matrix that is
// singular or not positive definite, or if an iteration does not converge.

/// The triangular factor of symmetric or Hermitian matrices: x = l conj(l)^T, or conj(u)^T u. Only the triangle of x
/// that the factor has is read. Waits.
DPEP_API ndarray cholesky(const ndarray &x, bool upper);
/// The solution of a x = b. b is a vector if it has one axis, else matrices. Waits.
DPEP_API ndarray solve(const ndarray &a, const ndarray &b);
/// Waits, unless `nan_if_singular`: then the inverses of singular matrices are NaN.
DPEP_API ndarray inverse(const ndarray &, bool nan_if_singular = false);
DPEP_API ndarray determinant(const ndarray &);

/// L U = the matrix with its rows in another order. `factors` has U and, below the diagonal, L without its diagonal of
/// ones. `pivots` (int32, from 0): row i was exchanged with row pivots[i], one after the other.
struct lu_decomposition {
  ndarray factors, pivots;
  std::int64_t zero_at = 0;  // of a singular matrix, the largest number of a zero on U's diagonal, from 1; else 0
};
/// Waits.
DPEP_API lu_decomposition lu(const ndarray &);
/// The order of rows that pivots stand for, int64: row i of the product L U is row order[i] of the matrix of `rows`
/// rows. Waits.
DPEP_API ndarray row_order(const ndarray &pivots, std::int64_t rows);

/// What systems are solved with: the matrix, its transpose, or the conjugate of that.
enum class transposition : std::uint8_t { none, plain, conjugate };
/// The solution of op(a) x = b from a's factorisation. b is as in `solve`.
DPEP_API ndarray lu_solve(const ndarray &factors, const ndarray &pivots, const ndarray &b, transposition);

struct triangular_options {
  bool upper = true;           // the triangle of a that is read
  bool unit_diagonal = false;  // the diagonal counts as ones and is not read
  transposition op = transposition::none;
};
/// The solution of op(a) x = b for triangular matrices. b is as in `solve`. Waits, and refusal::linear_algebra for a
/// zero on the diagonal, unless `unit_diagonal`.
DPEP_API ndarray solve_triangular(const ndarray &a, const ndarray &b, const triangular_options &);

struct log_determinant_parts {
  ndarray sign, logarithm;  // of the absolute value: -infinity for singular matrices, whose sign is 0
};
DPEP_API log_determinant_parts log_determinant(const ndarray &);

enum class qr_mode : std::uint8_t {
  reduced,   // Q has min(m, n) columns
  complete,  // Q is square
  r,         // without Q
  raw,       // LAPACK's Householder reflectors, transposed, and their factors
};
struct qr_factors {
  ndarray q, r;
};
DPEP_API qr_factors qr(const ndarray &, qr_mode);

struct svd_factors {
  ndarray u, s, vh;
};
/// Singular values in descending order. `full`: square matrices u and vh. Without `vectors`, s only. Waits.
DPEP_API svd_factors svd(const ndarray &, bool full, bool vectors);

struct eigen_pairs {
  ndarray values, vectors;  // vectors in columns; empty if they are not wanted
};
/// Of symmetric or Hermitian matrices: real values, in ascending order. Only one triangle is read. Waits.
DPEP_API eigen_pairs eigh(const ndarray &, bool upper, bool vectors);
/// Of general matrices. Both results are complex. Waits.
DPEP_API eigen_pairs eig(const ndarray &, bool vectors);

struct least_squares_solution {
  ndarray x, residuals, singular_values;  // residuals: sums of squares
  std::int64_t rank;
};
/// The x of least norm that minimises the norms of a x - b, for matrices a and b. Singular values below `condition`
/// times the largest one count as zero; a negative number stands for the precision of the dtype. Waits.
DPEP_API least_squares_solution least_squares(const ndarray &a, const ndarray &b, double condition);

/// The dtype that linear algebra computes in for an array of that dtype. refusal::type for float16.
DPEP_API dtype linear_algebra_type(const char *operation, dtype, const device &);

}  // namespace dpep::array
