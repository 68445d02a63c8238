// BLAS of levels 1 to 3: all functions of a library, by their C interface (CBLAS) with 64-bit integers.
//
// blas.hpp has the few functions that the array engine needs; a library without one of those is refused. Of these here,
// a library may lack some.
#pragma once

#include <cstddef>

#include "libs/cpu_library.hpp"

namespace dpep::libs {

// clang-format off
/// field, name for real types, name for complex types, result, parameters. In names, % is the type's letter and & that
/// of its real type; a name is empty where there is no function. T: the element type, R: its real type.
#define DPEP_BLAS_LEVELS(X) \
  X(asum, "%asum", "&%asum", R, (integer n, const T *x, integer incx)) \
  X(axpby, "%axpby", "%axpby", void, (integer n, coefficient<T> alpha, const T *x, integer incx, coefficient<T> beta, \
    T *y, integer incy)) \
  X(axpy, "%axpy", "%axpy", void, (integer n, coefficient<T> alpha, const T *x, integer incx, T *y, integer incy)) \
  X(copy, "%copy", "%copy", void, (integer n, const T *x, integer incx, T *y, integer incy)) \
  X(iamax, "i%amax", "i%amax", std::size_t, (integer n, const T *x, integer incx)) \
  X(iamin, "i%amin", "i%amin", std::size_t, (integer n, const T *x, integer incx)) \
  X(nrm2, "%nrm2", "&%nrm2", R, (integer n, const T *x, integer incx)) \
  X(rot, "%rot", "%&rot", void, (integer n, T *x, integer incx, T *y, integer incy, R c, R s)) \
  X(rotg, "%rotg", "%rotg", void, (T *a, T *b, R *c, T *s)) \
  X(rotm, "%rotm", "", void, (integer n, T *x, integer incx, T *y, integer incy, const T *param)) \
  X(rotmg, "%rotmg", "", void, (T *d1, T *d2, T *x1, T y1, T *param)) \
  X(scal, "%scal", "%scal", void, (integer n, coefficient<T> alpha, T *x, integer incx)) \
  X(swap, "%swap", "%swap", void, (integer n, T *x, integer incx, T *y, integer incy)) \
  X(gbmv, "%gbmv", "%gbmv", void, (matrix_order, transposition, integer m, integer n, integer kl, integer ku, \
    coefficient<T> alpha, const T *a, integer lda, const T *x, integer incx, coefficient<T> beta, T *y, integer incy)) \
  X(gemv, "%gemv", "%gemv", void, (matrix_order, transposition, integer m, integer n, coefficient<T> alpha, \
    const T *a, integer lda, const T *x, integer incx, coefficient<T> beta, T *y, integer incy)) \
  X(ger, "%ger", "%geru", void, (matrix_order, integer m, integer n, coefficient<T> alpha, const T *x, integer incx, \
    const T *y, integer incy, T *a, integer lda)) \
  X(gerc, "", "%gerc", void, (matrix_order, integer m, integer n, coefficient<T> alpha, const T *x, integer incx, \
    const T *y, integer incy, T *a, integer lda)) \
  X(sbmv, "%sbmv", "%hbmv", void, (matrix_order, triangle, integer n, integer k, coefficient<T> alpha, const T *a, \
    integer lda, const T *x, integer incx, coefficient<T> beta, T *y, integer incy)) \
  X(symv, "%symv", "%hemv", void, (matrix_order, triangle, integer n, coefficient<T> alpha, const T *a, integer lda, \
    const T *x, integer incx, coefficient<T> beta, T *y, integer incy)) \
  X(spmv, "%spmv", "%hpmv", void, (matrix_order, triangle, integer n, coefficient<T> alpha, const T *a, const T *x, \
    integer incx, coefficient<T> beta, T *y, integer incy)) \
  X(syr, "%syr", "%her", void, (matrix_order, triangle, integer n, R alpha, const T *x, integer incx, T *a, \
    integer lda)) \
  X(spr, "%spr", "%hpr", void, (matrix_order, triangle, integer n, R alpha, const T *x, integer incx, T *a)) \
  X(syr2, "%syr2", "%her2", void, (matrix_order, triangle, integer n, coefficient<T> alpha, const T *x, integer incx, \
    const T *y, integer incy, T *a, integer lda)) \
  X(spr2, "%spr2", "%hpr2", void, (matrix_order, triangle, integer n, coefficient<T> alpha, const T *x, integer incx, \
    const T *y, integer incy, T *a)) \
  X(tbmv, "%tbmv", "%tbmv", void, (matrix_order, triangle, transposition, diagonal, integer n, integer k, const T *a, \
    integer lda, T *x, integer incx)) \
  X(tbsv, "%tbsv", "%tbsv", void, (matrix_order, triangle, transposition, diagonal, integer n, integer k, const T *a, \
    integer lda, T *x, integer incx)) \
  X(tpmv, "%tpmv", "%tpmv", void, (matrix_order, triangle, transposition, diagonal, integer n, const T *a, T *x, \
    integer incx)) \
  X(tpsv, "%tpsv", "%tpsv", void, (matrix_order, triangle, transposition, diagonal, integer n, const T *a, T *x, \
    integer incx)) \
  X(trmv, "%trmv", "%trmv", void, (matrix_order, triangle, transposition, diagonal, integer n, const T *a, \
    integer lda, T *x, integer incx)) \
  X(trsv, "%trsv", "%trsv", void, (matrix_order, triangle, transposition, diagonal, integer n, const T *a, \
    integer lda, T *x, integer incx)) \
  X(gemm, "%gemm", "%gemm", void, (matrix_order, transposition, transposition, integer m, integer n, integer k, \
    coefficient<T> alpha, const T *a, integer lda, const T *b, integer ldb, coefficient<T> beta, T *c, integer ldc)) \
  X(hemm, "", "%hemm", void, (matrix_order, side, triangle, integer m, integer n, coefficient<T> alpha, const T *a, \
    integer lda, const T *b, integer ldb, coefficient<T> beta, T *c, integer ldc)) \
  X(symm, "%symm", "%symm", void, (matrix_order, side, triangle, integer m, integer n, coefficient<T> alpha, \
    const T *a, integer lda, const T *b, integer ldb, coefficient<T> beta, T *c, integer ldc)) \
  X(herk, "", "%herk", void, (matrix_order, triangle, transposition, integer n, integer k, R alpha, const T *a, \
    integer lda, R beta, T *c, integer ldc)) \
  X(syrk, "%syrk", "%syrk", void, (matrix_order, triangle, transposition, integer n, integer k, coefficient<T> alpha, \
    const T *a, integer lda, coefficient<T> beta, T *c, integer ldc)) \
  X(her2k, "", "%her2k", void, (matrix_order, triangle, transposition, integer n, integer k, coefficient<T> alpha, \
    const T *a, integer lda, const T *b, integer ldb, R beta, T *c, integer ldc)) \
  X(syr2k, "%syr2k", "%syr2k", void, (matrix_order, triangle, transposition, integer n, integer k, \
    coefficient<T> alpha, const T *a, integer lda, const T *b, integer ldb, coefficient<T> beta, T *c, integer ldc)) \
  X(trmm, "%trmm", "%trmm", void, (matrix_order, side, triangle, transposition, diagonal, integer m, integer n, \
    coefficient<T> alpha, const T *a, integer lda, T *b, integer ldb)) \
  X(trsm, "%trsm", "%trsm", void, (matrix_order, side, triangle, transposition, diagonal, integer m, integer n, \
    coefficient<T> alpha, const T *a, integer lda, T *b, integer ldb))
// clang-format on

/// The functions for one element type. Null: the library lacks the function.
template <class T> struct blas_levels : dot_functions<T> {
  using R = real_type<T>;
#define DPEP_BLAS_LEVEL_FIELD(field, real, complex, result, parameters) result(*field) parameters = nullptr;
  DPEP_BLAS_LEVELS(DPEP_BLAS_LEVEL_FIELD)
#undef DPEP_BLAS_LEVEL_FIELD
};

struct all_blas_levels {
  cpu_library::for_each_type<blas_levels> tables;
  template <class T> const blas_levels<T> &of() const noexcept { return std::get<blas_levels<T>>(tables); }
};

/// The functions of the library that find_cpu_library returns. They are searched for at the first call.
const all_blas_levels &levels_of(const cpu_library &);

}  // namespace dpep::libs
