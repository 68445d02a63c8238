// BLAS of levels 1 to 3 in cuBLAS: the functions for one element type each.
//
// Matrices are column-major. The parameters are those of NVIDIA's documentation, https://docs.nvidia.com/cuda/cublas/.
// cublas.hpp has the products of matrices.
#pragma once

#include "libs/cublas.hpp"

namespace dpep::libs {

enum class cuda_side : int { left = 0, right = 1 };             // cublasSideMode_t
enum class cuda_diagonal : int { general = 0, unit = 1 };       // cublasDiagType_t
enum class cublas_pointer_mode : int { host = 0, device = 1 };  // of coefficients and results

// clang-format off
/// field, name for real types, name for complex types, parameters after the handle. In names, % is the type's letter
/// and & that of its real type, upper-case; ^ and ~ are the same, lower-case. A name is empty where there is no function.
#define DPEP_CUBLAS_LEVELS(X) \
  X(asum, "%asum_v2_64", "&^asum_v2_64", (integer n, const void *x, integer incx, void *result)) \
  X(axpy, "%axpy_v2_64", "%axpy_v2_64", (integer n, const void *alpha, const void *x, integer incx, void *y, \
    integer incy)) \
  X(copy, "%copy_v2_64", "%copy_v2_64", (integer n, const void *x, integer incx, void *y, integer incy)) \
  X(dot, "%dot_v2_64", "%dotu_v2_64", (integer n, const void *x, integer incx, const void *y, integer incy, \
    void *result)) \
  X(dotc, "", "%dotc_v2_64", (integer n, const void *x, integer incx, const void *y, integer incy, void *result)) \
  X(iamax, "I^amax_v2_64", "I^amax_v2_64", (integer n, const void *x, integer incx, integer *result)) \
  X(iamin, "I^amin_v2_64", "I^amin_v2_64", (integer n, const void *x, integer incx, integer *result)) \
  X(nrm2, "%nrm2_v2_64", "&^nrm2_v2_64", (integer n, const void *x, integer incx, void *result)) \
  X(rot, "%rot_v2_64", "%~rot_v2_64", (integer n, void *x, integer incx, void *y, integer incy, const void *c, \
    const void *s)) \
  X(rotg, "%rotg_v2", "%rotg_v2", (void *a, void *b, void *c, void *s)) \
  X(rotm, "%rotm_v2_64", "", (integer n, void *x, integer incx, void *y, integer incy, const void *param)) \
  X(rotmg, "%rotmg_v2", "", (void *d1, void *d2, void *x1, const void *y1, void *param)) \
  X(scal, "%scal_v2_64", "%scal_v2_64", (integer n, const void *alpha, void *x, integer incx)) \
  X(swap, "%swap_v2_64", "%swap_v2_64", (integer n, void *x, integer incx, void *y, integer incy)) \
  X(gbmv, "%gbmv_v2_64", "%gbmv_v2_64", (cuda_transposition, integer m, integer n, integer kl, integer ku, \
    const void *alpha, const void *a, integer lda, const void *x, integer incx, const void *beta, void *y, \
    integer incy)) \
  X(gemv, "%gemv_v2_64", "%gemv_v2_64", (cuda_transposition, integer m, integer n, const void *alpha, const void *a, \
    integer lda, const void *x, integer incx, const void *beta, void *y, integer incy)) \
  X(ger, "%ger_v2_64", "%geru_v2_64", (integer m, integer n, const void *alpha, const void *x, integer incx, \
    const void *y, integer incy, void *a, integer lda)) \
  X(gerc, "", "%gerc_v2_64", (integer m, integer n, const void *alpha, const void *x, integer incx, const void *y, \
    integer incy, void *a, integer lda)) \
  X(sbmv, "%sbmv_v2_64", "%hbmv_v2_64", (cuda_triangle, integer n, integer k, const void *alpha, const void *a, \
    integer lda, const void *x, integer incx, const void *beta, void *y, integer incy)) \
  X(symv, "%symv_v2_64", "%hemv_v2_64", (cuda_triangle, integer n, const void *alpha, const void *a, integer lda, \
    const void *x, integer incx, const void *beta, void *y, integer incy)) \
  X(spmv, "%spmv_v2_64", "%hpmv_v2_64", (cuda_triangle, integer n, const void *alpha, const void *a, const void *x, \
    integer incx, const void *beta, void *y, integer incy)) \
  X(syr, "%syr_v2_64", "%her_v2_64", (cuda_triangle, integer n, const void *alpha, const void *x, integer incx, \
    void *a, integer lda)) \
  X(spr, "%spr_v2_64", "%hpr_v2_64", (cuda_triangle, integer n, const void *alpha, const void *x, integer incx, \
    void *a)) \
  X(syr2, "%syr2_v2_64", "%her2_v2_64", (cuda_triangle, integer n, const void *alpha, const void *x, integer incx, \
    const void *y, integer incy, void *a, integer lda)) \
  X(spr2, "%spr2_v2_64", "%hpr2_v2_64", (cuda_triangle, integer n, const void *alpha, const void *x, integer incx, \
    const void *y, integer incy, void *a)) \
  X(tbmv, "%tbmv_v2_64", "%tbmv_v2_64", (cuda_triangle, cuda_transposition, cuda_diagonal, integer n, integer k, \
    const void *a, integer lda, void *x, integer incx)) \
  X(tbsv, "%tbsv_v2_64", "%tbsv_v2_64", (cuda_triangle, cuda_transposition, cuda_diagonal, integer n, integer k, \
    const void *a, integer lda, void *x, integer incx)) \
  X(tpmv, "%tpmv_v2_64", "%tpmv_v2_64", (cuda_triangle, cuda_transposition, cuda_diagonal, integer n, const void *a, \
    void *x, integer incx)) \
  X(tpsv, "%tpsv_v2_64", "%tpsv_v2_64", (cuda_triangle, cuda_transposition, cuda_diagonal, integer n, const void *a, \
    void *x, integer incx)) \
  X(trmv, "%trmv_v2_64", "%trmv_v2_64", (cuda_triangle, cuda_transposition, cuda_diagonal, integer n, const void *a, \
    integer lda, void *x, integer incx)) \
  X(trsv, "%trsv_v2_64", "%trsv_v2_64", (cuda_triangle, cuda_transposition, cuda_diagonal, integer n, const void *a, \
    integer lda, void *x, integer incx)) \
  X(hemm, "", "%hemm_v2_64", (cuda_side, cuda_triangle, integer m, integer n, const void *alpha, const void *a, \
    integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc)) \
  X(symm, "%symm_v2_64", "%symm_v2_64", (cuda_side, cuda_triangle, integer m, integer n, const void *alpha, \
    const void *a, integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc)) \
  X(herk, "", "%herk_v2_64", (cuda_triangle, cuda_transposition, integer n, integer k, const void *alpha, \
    const void *a, integer lda, const void *beta, void *c, integer ldc)) \
  X(syrk, "%syrk_v2_64", "%syrk_v2_64", (cuda_triangle, cuda_transposition, integer n, integer k, const void *alpha, \
    const void *a, integer lda, const void *beta, void *c, integer ldc)) \
  X(her2k, "", "%her2k_v2_64", (cuda_triangle, cuda_transposition, integer n, integer k, const void *alpha, \
    const void *a, integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc)) \
  X(syr2k, "%syr2k_v2_64", "%syr2k_v2_64", (cuda_triangle, cuda_transposition, integer n, integer k, \
    const void *alpha, const void *a, integer lda, const void *b, integer ldb, const void *beta, void *c, \
    integer ldc)) \
  X(trmm, "%trmm_v2_64", "%trmm_v2_64", (cuda_side, cuda_triangle, cuda_transposition, cuda_diagonal, integer m, \
    integer n, const void *alpha, const void *a, integer lda, const void *b, integer ldb, void *c, integer ldc)) \
  X(trsm, "%trsm_v2_64", "%trsm_v2_64", (cuda_side, cuda_triangle, cuda_transposition, cuda_diagonal, integer m, \
    integer n, const void *alpha, const void *a, integer lda, void *b, integer ldb))
// clang-format on

/// The functions for one element type. Null: the library lacks the function.
struct cublas_levels {
  using integer = std::int64_t;
  template <class... Parameters> using with_handle = status (*)(cublas_handle, Parameters...);
  template <class Function> struct add_handle;
  template <class... Parameters> struct add_handle<void(Parameters...)> {
    using type = with_handle<Parameters...>;
  };
#define DPEP_CUBLAS_FIELD(field, real, complex, parameters) add_handle<void parameters>::type field = nullptr;
  DPEP_CUBLAS_LEVELS(DPEP_CUBLAS_FIELD)
#undef DPEP_CUBLAS_FIELD
};

struct all_cublas_levels : typed_functions<cublas_levels> {
  status (*set_pointer_mode)(cublas_handle, cublas_pointer_mode) = nullptr;
};

/// The functions of a library that find_cublas returned. They are searched for at the first call.
const all_cublas_levels &levels_of(const cublas_library &);

}  // namespace dpep::libs
