// BLAS: the functions of a library for one element type, by their C interface (CBLAS) with 64-bit integers.
//
// The parameters are those of the reference documentation, https://www.netlib.org/blas/.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace dpep::libs {

using integer = std::int64_t;

enum class matrix_order : int { row_major = 101, column_major = 102 };
enum class transposition : int { none = 111, plain = 112, conjugate = 113 };
enum class triangle : int { upper = 121, lower = 122 };
enum class diagonal : int { general = 131, unit = 132 };
enum class side : int { left = 141, right = 142 };

template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<std::complex<T>> = true;
/// The letter of the type in the names of functions.
constexpr char type_letter(float) noexcept { return 's'; }
constexpr char type_letter(double) noexcept { return 'd'; }
constexpr char type_letter(std::complex<float>) noexcept { return 'c'; }
constexpr char type_letter(std::complex<double>) noexcept { return 'z'; }

/// A coefficient as a parameter: complex ones are passed by their address.
template <class T> using coefficient = std::conditional_t<is_complex<T>, const T *, T>;

/// field, parameters. T: the element type.
// clang-format off
#define DPEP_BLAS_FUNCTIONS(X) \
  X(gemm, (matrix_order, transposition, transposition, integer m, integer n, integer k, coefficient<T> alpha, \
           const T *, integer lda, const T *, integer ldb, coefficient<T> beta, T *c, integer ldc)) \
  X(gemv, (matrix_order, transposition, integer m, integer n, coefficient<T> alpha, const T *a, integer lda, \
           const T *x, integer x_step, coefficient<T> beta, T *y, integer y_step)) \
  X(trsm, (matrix_order, side, triangle, transposition, diagonal, integer m, integer n, coefficient<T> alpha, \
           const T *a, integer lda, T *b, integer ldb))
// clang-format on

/// The scalar product of vectors: real numbers are returned, complex ones stored.
template <class T> struct dot_functions {
  T (*dot)(integer n, const T *x, integer x_step, const T *y, integer y_step) = nullptr;
};
template <class T> struct dot_functions<std::complex<T>> {
  using function = void(integer n, const std::complex<T> *x, integer x_step, const std::complex<T> *y, integer y_step,
                        std::complex<T> *result);
  function *dotu_sub = nullptr;  // without conjugation
  function *dotc_sub = nullptr;  // conj(x) * y
};

template <class T> struct blas_table : dot_functions<T> {
#define DPEP_BLAS_FIELD(field, parameters) void(*field) parameters = nullptr;
  DPEP_BLAS_FUNCTIONS(DPEP_BLAS_FIELD)
#undef DPEP_BLAS_FIELD
};

/// A coefficient as the functions take it. The number must live as long as the call.
template <class T> coefficient<T> as_coefficient(const T &number) noexcept {
  if constexpr (is_complex<T>)
    return &number;
  else
    return number;
}

/// The scalar product for any type; `conjugated`: conj(x) * y.
template <class T>
T dot(const blas_table<T> &blas, bool conjugated, integer n, const T *x, integer x_step, const T *y, integer y_step) {
  if constexpr (is_complex<T>) {
    T result{};
    (conjugated ? blas.dotc_sub : blas.dotu_sub)(n, x, x_step, y, y_step, &result);
    return result;
  } else {
    return blas.dot(n, x, x_step, y, y_step);
  }
}

}  // namespace dpep::libs
