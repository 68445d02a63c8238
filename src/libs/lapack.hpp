// LAPACK: the functions of a library for one element type, by their Fortran interface with 64-bit integers.
//
// The parameters are those of the reference documentation, https://www.netlib.org/lapack/. Matrices are column-major.
// The last parameters are the lengths of the character arguments, which Fortran compilers append.
#pragma once

#include <cstddef>

#include "libs/blas.hpp"

namespace dpep::libs {

template <class T> struct real_part_of {
  using type = T;
};
template <class T> struct real_part_of<std::complex<T>> {
  using type = T;
};
/// float of complex<float>.
template <class T> using real_type = typename real_part_of<T>::type;

/// field, name for real types, name for complex types, parameters. T: the element type, R: its real type.
// clang-format off
#define DPEP_LAPACK_COMMON(X) \
  X(getrf, "getrf", "getrf", (const integer *m, const integer *n, T *a, const integer *lda, integer *pivots, \
                              integer *info)) \
  X(getrs, "getrs", "getrs", (const char *transposed, const integer *n, const integer *columns, const T *a, \
                              const integer *lda, const integer *pivots, T *b, const integer *ldb, integer *info, \
                              std::size_t)) \
  X(trtrs, "trtrs", "trtrs", (const char *triangle, const char *transposed, const char *diagonal, const integer *n, \
                              const integer *columns, const T *a, const integer *lda, T *b, const integer *ldb, \
                              integer *info, std::size_t, std::size_t, std::size_t)) \
  X(gesv, "gesv", "gesv", (const integer *n, const integer *columns, T *a, const integer *lda, integer *pivots, \
                           T *b, const integer *ldb, integer *info)) \
  X(potrf, "potrf", "potrf", (const char *triangle, const integer *n, T *a, const integer *lda, integer *info, \
                              std::size_t)) \
  X(geqrf, "geqrf", "geqrf", (const integer *m, const integer *n, T *a, const integer *lda, T *tau, T *work, \
                              const integer *work_size, integer *info)) \
  X(orgqr, "orgqr", "ungqr", (const integer *m, const integer *n, const integer *k, T *a, const integer *lda, \
                              const T *tau, T *work, const integer *work_size, integer *info))
#define DPEP_LAPACK_REAL(X) \
  X(gesdd, "gesdd", "gesdd", (const char *job, const integer *m, const integer *n, T *a, const integer *lda, R *s, \
                              T *u, const integer *ldu, T *vt, const integer *ldvt, T *work, const integer *work_size, \
                              integer *integers, integer *info, std::size_t)) \
  X(heevd, "syevd", "heevd", (const char *job, const char *triangle, const integer *n, T *a, const integer *lda, R *w, \
                              T *work, const integer *work_size, integer *integers, const integer *integers_size, \
                              integer *info, std::size_t, std::size_t)) \
  X(gelsd, "gelsd", "gelsd", (const integer *m, const integer *n, const integer *columns, T *a, const integer *lda, \
                              T *b, const integer *ldb, R *s, const R *condition, integer *rank, T *work, \
                              const integer *work_size, integer *integers, integer *info)) \
  X(geev, "geev", "geev", (const char *left, const char *right, const integer *n, T *a, const integer *lda, \
                           R *w_real, R *w_imaginary, T *vl, const integer *ldvl, T *vr, const integer *ldvr, T *work, \
                           const integer *work_size, integer *info, std::size_t, std::size_t))
#define DPEP_LAPACK_COMPLEX(X) \
  X(gesdd, "gesdd", "gesdd", (const char *job, const integer *m, const integer *n, T *a, const integer *lda, R *s, \
                              T *u, const integer *ldu, T *vt, const integer *ldvt, T *work, const integer *work_size, \
                              R *real_work, integer *integers, integer *info, std::size_t)) \
  X(heevd, "syevd", "heevd", (const char *job, const char *triangle, const integer *n, T *a, const integer *lda, R *w, \
                              T *work, const integer *work_size, R *real_work, const integer *real_size, \
                              integer *integers, const integer *integers_size, integer *info, std::size_t, \
                              std::size_t)) \
  X(gelsd, "gelsd", "gelsd", (const integer *m, const integer *n, const integer *columns, T *a, const integer *lda, \
                              T *b, const integer *ldb, R *s, const R *condition, integer *rank, T *work, \
                              const integer *work_size, R *real_work, integer *integers, integer *info)) \
  X(geev, "geev", "geev", (const char *left, const char *right, const integer *n, T *a, const integer *lda, T *w, \
                           T *vl, const integer *ldvl, T *vr, const integer *ldvr, T *work, const integer *work_size, \
                           R *real_work, integer *info, std::size_t, std::size_t))
// clang-format on

#define DPEP_LAPACK_FIELD(field, real, complex, parameters) void(*field) parameters = nullptr;
/// The functions whose parameters differ between real and complex types.
template <class T> struct lapack_differing {
  using R = T;
  DPEP_LAPACK_REAL(DPEP_LAPACK_FIELD)
};
template <class Real> struct lapack_differing<std::complex<Real>> {
  using T = std::complex<Real>;
  using R = Real;
  DPEP_LAPACK_COMPLEX(DPEP_LAPACK_FIELD)
};
template <class T> struct lapack_table : lapack_differing<T> {
  DPEP_LAPACK_COMMON(DPEP_LAPACK_FIELD)
};
#undef DPEP_LAPACK_FIELD

}  // namespace dpep::libs
