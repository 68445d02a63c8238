// cuBLAS: the functions that dpep uses, and sessions, which put calls into a stream.
//
// Matrices are column-major. The parameters are those of NVIDIA's documentation, https://docs.nvidia.com/cuda/cublas/.
#pragma once

#include <cstddef>

#include "libs/cuda_library.hpp"

namespace dpep::libs {

using cublas_handle = struct cublas_tag *;
/// cublasComputeType_t
enum class cublas_compute : int { float16 = 64, float32 = 68, float64 = 70, float32_as_tf32 = 77 };
inline constexpr int cublas_default_algorithm = -1;  // cublasGemmAlgo_t

// clang-format off
/// field, symbol, parameters
#define DPEP_CUBLAS_FUNCTIONS(X) \
  X(create, cublasCreate_v2, (cublas_handle *)) \
  X(set_stream, cublasSetStream_v2, (cublas_handle, cuda_stream)) \
  X(set_workspace, cublasSetWorkspace_v2, (cublas_handle, void *, std::size_t bytes)) \
  X(get_version, cublasGetVersion_v2, (cublas_handle, int *)) \
  X(gemm, cublasGemmEx_64, \
    (cublas_handle, cuda_transposition, cuda_transposition, std::int64_t m, std::int64_t n, std::int64_t k, \
     const void *alpha, const void *a, cuda_type, std::int64_t lda, const void *b, cuda_type, std::int64_t ldb, \
     const void *beta, void *c, cuda_type, std::int64_t ldc, cublas_compute, int algorithm)) \
  X(gemm_batched, cublasGemmStridedBatchedEx_64, \
    (cublas_handle, cuda_transposition, cuda_transposition, std::int64_t m, std::int64_t n, std::int64_t k, \
     const void *alpha, const void *a, cuda_type, std::int64_t lda, long long a_step, const void *b, cuda_type, \
     std::int64_t ldb, long long b_step, const void *beta, void *c, cuda_type, std::int64_t ldc, long long c_step, \
     std::int64_t count, cublas_compute, int algorithm))
/// field, name, parameters: functions for one element type each, on arrays of addresses in the device's memory
#define DPEP_CUBLAS_TYPED(X) \
  X(getrf_batched, "getrfBatched", (cublas_handle, int n, void *const *a, int lda, int *pivots, int *info, int count)) \
  X(getrs_batched, "getrsBatched", \
    (cublas_handle, cuda_transposition, int n, int columns, const void *const *a, int lda, const int *pivots, \
     void *const *b, int ldb, int *host_info, int count)) \
  X(geqrf_batched, "geqrfBatched", \
    (cublas_handle, int m, int n, void *const *a, int lda, void *const *tau, int *host_info, int count))
// clang-format on

/// The functions for one element type.
struct cublas_typed {
#define DPEP_CUBLAS_FIELD(field, name, parameters) status(*field) parameters = nullptr;
  DPEP_CUBLAS_TYPED(DPEP_CUBLAS_FIELD)
#undef DPEP_CUBLAS_FIELD
};

struct cublas_library : typed_functions<cublas_typed> {
  std::string path;
#define DPEP_CUBLAS_FIELD(field, symbol, parameters) status(*field) parameters = nullptr;
  DPEP_CUBLAS_FUNCTIONS(DPEP_CUBLAS_FIELD)
#undef DPEP_CUBLAS_FIELD
};

/// The library for devices with a driver for this version of CUDA (cuda_version_of); 0: any. Opened at the first call.
/// Null, with the reason and a remedy in `why`, if there is none.
const cublas_library *find_cublas(int cuda_version, std::string &why);
/// The same for a device, but throws errc::feature_not_supported if there is none.
const cublas_library &require_cublas(const device &, const char *operation);

/// A handle of cuBLAS for calls into one stream. Requires the current context `context`. The scratch memory must be
/// free until the calls are complete; without any, the library has its own, which streams must not share.
class cublas_session {
public:
  cublas_session(const cublas_library &, std::uintptr_t context, cuda_stream, void *scratch = nullptr,
                 std::size_t scratch_bytes = 0);
  cublas_session(const cublas_session &) = delete;
  ~cublas_session();
  const cublas_library &library() const noexcept { return library_; }
  cublas_handle handle() const noexcept { return handle_; }

private:
  const cublas_library &library_;
  const std::uintptr_t context_;
  cublas_handle handle_ = nullptr;
};

/// Scratch memory with which cuBLAS has all its algorithms, in bytes.
inline constexpr std::size_t cublas_scratch_bytes = 32 << 20;

/// The dtype as a parameter of cuBLAS and cuSOLVER. Of floating-point and complex dtypes.
cuda_type cuda_type_of(dtype) noexcept;

}  // namespace dpep::libs
