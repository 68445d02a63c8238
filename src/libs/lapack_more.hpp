// Functions of LAPACK that oneMKL's interface needs and the array engine does not. A library may lack some.
#pragma once

#include <cstddef>

#include "libs/cpu_library.hpp"

namespace dpep::libs {

// clang-format off
/// field, parameters, as in lapack.hpp
#define DPEP_LAPACK_MORE(X) \
  X(getri, (const integer *n, T *a, const integer *lda, const integer *pivots, T *work, const integer *work_size, \
            integer *info)) \
  X(potrs, (const char *triangle, const integer *n, const integer *columns, const T *a, const integer *lda, T *b, \
            const integer *ldb, integer *info, std::size_t)) \
  X(gels, (const char *transposed, const integer *m, const integer *n, const integer *columns, T *a, \
           const integer *lda, T *b, const integer *ldb, T *work, const integer *work_size, integer *info, std::size_t))
// clang-format on

/// gesvd, which has another parameter for complex types.
template <class T> struct singular_value_function {
  void (*gesvd)(const char *job_u, const char *job_vt, const integer *m, const integer *n, T *a, const integer *lda,
                T *s, T *u, const integer *ldu, T *vt, const integer *ldvt, T *work, const integer *work_size,
                integer *info, std::size_t, std::size_t) = nullptr;
};
template <class R> struct singular_value_function<std::complex<R>> {
  using T = std::complex<R>;
  void (*gesvd)(const char *job_u, const char *job_vt, const integer *m, const integer *n, T *a, const integer *lda,
                R *s, T *u, const integer *ldu, T *vt, const integer *ldvt, T *work, const integer *work_size,
                R *real_work, integer *info, std::size_t, std::size_t) = nullptr;
};

/// The functions for one element type. Null: the library lacks the function.
template <class T> struct lapack_more : singular_value_function<T> {
#define DPEP_LAPACK_FIELD(field, parameters) void(*field) parameters = nullptr;
  DPEP_LAPACK_MORE(DPEP_LAPACK_FIELD)
#undef DPEP_LAPACK_FIELD
};

struct all_lapack_more {
  cpu_library::for_each_type<lapack_more> tables;
  template <class T> const lapack_more<T> &of() const noexcept { return std::get<lapack_more<T>>(tables); }
};

/// The functions of the library that find_cpu_library returns. They are searched for at the first call.
const all_lapack_more &lapack_more_of(const cpu_library &);

}  // namespace dpep::libs
