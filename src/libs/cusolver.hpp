// cuSOLVER: the functions for dense matrices that dpep uses, and sessions, which put calls into a stream.
//
// Matrices are column-major. The parameters are those of NVIDIA's documentation,
// https://docs.nvidia.com/cuda/cusolver/.
#pragma once

#include <cstddef>

#include "libs/cuda_library.hpp"

namespace dpep::libs {

using cusolver_handle = struct cusolver_tag *;
using cusolver_parameters = struct cusolver_parameters_tag *;
using cusolver_jacobi = struct cusolver_jacobi_tag *;        // gesvdjInfo_t
enum class cusolver_vectors : int { none = 0, wanted = 1 };  // cusolverEigMode_t

// clang-format off
/// field, symbol, parameters
#define DPEP_CUSOLVER_FUNCTIONS(X) \
  X(create, cusolverDnCreate, (cusolver_handle *)) \
  X(set_stream, cusolverDnSetStream, (cusolver_handle, cuda_stream)) \
  X(create_parameters, cusolverDnCreateParams, (cusolver_parameters *)) \
  X(create_jacobi, cusolverDnCreateGesvdjInfo, (cusolver_jacobi *)) \
  X(destroy_jacobi, cusolverDnDestroyGesvdjInfo, (cusolver_jacobi)) \
  X(getrf_size, cusolverDnXgetrf_bufferSize, \
    (cusolver_handle, cusolver_parameters, std::int64_t m, std::int64_t n, cuda_type, const void *a, std::int64_t lda, \
     cuda_type compute, std::size_t *device_bytes, std::size_t *host_bytes)) \
  X(getrf, cusolverDnXgetrf, \
    (cusolver_handle, cusolver_parameters, std::int64_t m, std::int64_t n, cuda_type, void *a, std::int64_t lda, \
     std::int64_t *pivots, cuda_type compute, void *device_scratch, std::size_t device_bytes, void *host_scratch, \
     std::size_t host_bytes, int *info)) \
  X(getrs, cusolverDnXgetrs, \
    (cusolver_handle, cusolver_parameters, cuda_transposition, std::int64_t n, std::int64_t columns, cuda_type, \
     const void *a, std::int64_t lda, const std::int64_t *pivots, cuda_type, void *b, std::int64_t ldb, int *info)) \
  X(potrf_size, cusolverDnXpotrf_bufferSize, \
    (cusolver_handle, cusolver_parameters, cuda_triangle, std::int64_t n, cuda_type, const void *a, std::int64_t lda, \
     cuda_type compute, std::size_t *device_bytes, std::size_t *host_bytes)) \
  X(potrf, cusolverDnXpotrf, \
    (cusolver_handle, cusolver_parameters, cuda_triangle, std::int64_t n, cuda_type, void *a, std::int64_t lda, \
     cuda_type compute, void *device_scratch, std::size_t device_bytes, void *host_scratch, std::size_t host_bytes, \
     int *info)) \
  X(geqrf_size, cusolverDnXgeqrf_bufferSize, \
    (cusolver_handle, cusolver_parameters, std::int64_t m, std::int64_t n, cuda_type, const void *a, std::int64_t lda, \
     cuda_type tau_type, const void *tau, cuda_type compute, std::size_t *device_bytes, std::size_t *host_bytes)) \
  X(geqrf, cusolverDnXgeqrf, \
    (cusolver_handle, cusolver_parameters, std::int64_t m, std::int64_t n, cuda_type, void *a, std::int64_t lda, \
     cuda_type tau_type, void *tau, cuda_type compute, void *device_scratch, std::size_t device_bytes, \
     void *host_scratch, std::size_t host_bytes, int *info)) \
  X(syevd_size, cusolverDnXsyevd_bufferSize, \
    (cusolver_handle, cusolver_parameters, cusolver_vectors, cuda_triangle, std::int64_t n, cuda_type, const void *a, \
     std::int64_t lda, cuda_type w_type, const void *w, cuda_type compute, std::size_t *device_bytes, \
     std::size_t *host_bytes)) \
  X(syevd, cusolverDnXsyevd, \
    (cusolver_handle, cusolver_parameters, cusolver_vectors, cuda_triangle, std::int64_t n, cuda_type, void *a, \
     std::int64_t lda, cuda_type w_type, void *w, cuda_type compute, void *device_scratch, std::size_t device_bytes, \
     void *host_scratch, std::size_t host_bytes, int *info)) \
  X(gesvd_size, cusolverDnXgesvd_bufferSize, \
    (cusolver_handle, cusolver_parameters, signed char u_job, signed char vt_job, std::int64_t m, std::int64_t n, \
     cuda_type, const void *a, std::int64_t lda, cuda_type s_type, const void *s, cuda_type u_type, const void *u, \
     std::int64_t ldu, cuda_type vt_type, const void *vt, std::int64_t ldvt, cuda_type compute, \
     std::size_t *device_bytes, std::size_t *host_bytes)) \
  X(gesvd, cusolverDnXgesvd, \
    (cusolver_handle, cusolver_parameters, signed char u_job, signed char vt_job, std::int64_t m, std::int64_t n, \
     cuda_type, void *a, std::int64_t lda, cuda_type s_type, void *s, cuda_type u_type, void *u, std::int64_t ldu, \
     cuda_type vt_type, void *vt, std::int64_t ldvt, cuda_type compute, void *device_scratch, \
     std::size_t device_bytes, void *host_scratch, std::size_t host_bytes, int *info))
/// The same for functions of newer versions: null if the library does not have them.
#define DPEP_CUSOLVER_OPTIONAL(X) \
  X(syev_batched_size, cusolverDnXsyevBatched_bufferSize, \
    (cusolver_handle, cusolver_parameters, cusolver_vectors, cuda_triangle, std::int64_t n, cuda_type, const void *a, \
     std::int64_t lda, cuda_type w_type, const void *w, cuda_type compute, std::size_t *device_bytes, \
     std::size_t *host_bytes, std::int64_t count)) \
  X(syev_batched, cusolverDnXsyevBatched, \
    (cusolver_handle, cusolver_parameters, cusolver_vectors, cuda_triangle, std::int64_t n, cuda_type, void *a, \
     std::int64_t lda, cuda_type w_type, void *w, cuda_type compute, void *device_scratch, std::size_t device_bytes, \
     void *host_scratch, std::size_t host_bytes, int *info, std::int64_t count)) \
  X(geev_size, cusolverDnXgeev_bufferSize, \
    (cusolver_handle, cusolver_parameters, cusolver_vectors left, cusolver_vectors right, std::int64_t n, cuda_type, \
     const void *a, std::int64_t lda, cuda_type w_type, const void *w, cuda_type vl_type, const void *vl, \
     std::int64_t ldvl, cuda_type vr_type, const void *vr, std::int64_t ldvr, cuda_type compute, \
     std::size_t *device_bytes, std::size_t *host_bytes)) \
  X(geev, cusolverDnXgeev, \
    (cusolver_handle, cusolver_parameters, cusolver_vectors left, cusolver_vectors right, std::int64_t n, cuda_type, \
     void *a, std::int64_t lda, cuda_type w_type, void *w, cuda_type vl_type, void *vl, std::int64_t ldvl, \
     cuda_type vr_type, void *vr, std::int64_t ldvr, cuda_type compute, void *device_scratch, std::size_t device_bytes, \
     void *host_scratch, std::size_t host_bytes, int *info))
/// field, name for real types, name for complex types, parameters: functions for one element type each. T: the type.
#define DPEP_CUSOLVER_TYPED(X) \
  X(orgqr_size, "orgqr_bufferSize", "ungqr_bufferSize", \
    (cusolver_handle, int m, int n, int k, const void *a, int lda, const void *tau, int *elements)) \
  X(orgqr, "orgqr", "ungqr", \
    (cusolver_handle, int m, int n, int k, void *a, int lda, const void *tau, void *scratch, int elements, int *info)) \
  X(potrf_batched, "potrfBatched", "potrfBatched", \
    (cusolver_handle, cuda_triangle, int n, void **a, int lda, int *info, int count)) \
  X(gesvdj_size, "gesvdj_bufferSize", "gesvdj_bufferSize", \
    (cusolver_handle, cusolver_vectors, int economic, int m, int n, const void *a, int lda, const void *s, \
     const void *u, int ldu, const void *v, int ldv, int *elements, cusolver_jacobi)) \
  X(gesvdj, "gesvdj", "gesvdj", \
    (cusolver_handle, cusolver_vectors, int economic, int m, int n, void *a, int lda, void *s, void *u, int ldu, \
     void *v, int ldv, void *scratch, int elements, int *info, cusolver_jacobi)) \
  X(gesvdj_batched_size, "gesvdjBatched_bufferSize", "gesvdjBatched_bufferSize", \
    (cusolver_handle, cusolver_vectors, int m, int n, const void *a, int lda, const void *s, const void *u, int ldu, \
     const void *v, int ldv, int *elements, cusolver_jacobi, int count)) \
  X(gesvdj_batched, "gesvdjBatched", "gesvdjBatched", \
    (cusolver_handle, cusolver_vectors, int m, int n, void *a, int lda, void *s, void *u, int ldu, void *v, int ldv, \
     void *scratch, int elements, int *info, cusolver_jacobi, int count))
// clang-format on

/// The functions for one element type.
struct cusolver_typed {
#define DPEP_CUSOLVER_FIELD(field, real, complex, parameters) status(*field) parameters = nullptr;
  DPEP_CUSOLVER_TYPED(DPEP_CUSOLVER_FIELD)
#undef DPEP_CUSOLVER_FIELD
};

struct cusolver_library : typed_functions<cusolver_typed> {
  std::string path;
#define DPEP_CUSOLVER_FIELD(field, symbol, parameters) status(*field) parameters = nullptr;
  DPEP_CUSOLVER_FUNCTIONS(DPEP_CUSOLVER_FIELD)
  DPEP_CUSOLVER_OPTIONAL(DPEP_CUSOLVER_FIELD)
#undef DPEP_CUSOLVER_FIELD
  cusolver_parameters defaults = nullptr;
};

/// The library for devices with a driver for this version of CUDA (cuda_version_of); 0: any. Opened at the first call.
/// Null, with the reason and a remedy in `why`, if there is none.
const cusolver_library *find_cusolver(int cuda_version, std::string &why);
/// The same for a device, but throws errc::feature_not_supported if there is none.
const cusolver_library &require_cusolver(const device &, const char *operation);

/// A handle of cuSOLVER for calls into one stream. Requires the current context `context`.
class cusolver_session {
public:
  cusolver_session(const cusolver_library &, std::uintptr_t context, cuda_stream);
  cusolver_session(const cusolver_session &) = delete;
  ~cusolver_session();
  const cusolver_library &library() const noexcept { return library_; }
  cusolver_handle handle() const noexcept { return handle_; }

private:
  const cusolver_library &library_;
  const std::uintptr_t context_;
  cusolver_handle handle_ = nullptr;
};

}  // namespace dpep::libs
