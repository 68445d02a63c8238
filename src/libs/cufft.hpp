// cuFFT: the functions that dpep uses, and plans, which put transforms into a stream.
//
// The parameters are those of NVIDIA's documentation, https://docs.nvidia.com/cuda/cufft/.
#pragma once

#include <cstddef>
#include <functional>

#include "libs/cuda_library.hpp"

namespace dpep::libs {

using cufft_handle = int;
/// cufftType
enum class cufft_type : int {
  complex64 = 0x29,
  real_to_complex64 = 0x2a,
  complex64_to_real = 0x2c,
  complex128 = 0x69,
  real_to_complex128 = 0x6a,
  complex128_to_real = 0x6c,
};

// clang-format off
/// field, symbol, parameters
#define DPEP_CUFFT_FUNCTIONS(X) \
  X(create, cufftCreate, (cufft_handle *)) \
  X(destroy, cufftDestroy, (cufft_handle)) \
  X(set_stream, cufftSetStream, (cufft_handle, cuda_stream)) \
  X(set_auto_allocation, cufftSetAutoAllocation, (cufft_handle, int automatic)) \
  X(set_work_area, cufftSetWorkArea, (cufft_handle, void *)) \
  X(make_plan, cufftMakePlanMany64, \
    (cufft_handle, int rank, long long *lengths, long long *from_embedding, long long from_step, \
     long long from_distance, long long *to_embedding, long long to_step, long long to_distance, cufft_type, \
     long long batch, std::size_t *scratch_bytes)) \
  X(complex64, cufftExecC2C, (cufft_handle, const void *from, void *to, int sign)) \
  X(complex128, cufftExecZ2Z, (cufft_handle, const void *from, void *to, int sign)) \
  X(real_to_complex64, cufftExecR2C, (cufft_handle, const void *from, void *to)) \
  X(real_to_complex128, cufftExecD2Z, (cufft_handle, const void *from, void *to)) \
  X(complex64_to_real, cufftExecC2R, (cufft_handle, void *from, void *to)) \
  X(complex128_to_real, cufftExecZ2D, (cufft_handle, void *from, void *to))
// clang-format on

struct cufft_library {
  std::string path;
#define DPEP_CUFFT_FIELD(field, symbol, parameters) status(*field) parameters = nullptr;
  DPEP_CUFFT_FUNCTIONS(DPEP_CUFFT_FIELD)
#undef DPEP_CUFFT_FIELD
};

/// The library for devices with a driver for this version of CUDA (cuda_version_of); 0: any. Opened at the first call.
/// Null, with the reason and a remedy in `why`, if there is none.
const cufft_library *find_cufft(int cuda_version, std::string &why);

/// Transforms of equal lines: element k of line b is at b * distance + k * step. In elements.
struct cufft_layout {
  cufft_type type{};
  long long length = 0, batch = 1;  // length: of the transform, of real numbers too
  long long from_step = 1, from_distance = 0, to_step = 1, to_distance = 0;
  friend bool operator==(const cufft_layout &, const cufft_layout &) = default;
};

/// A plan of cuFFT, for one thread at a time. Its scratch memory is the caller's. Destroyed plans are reused by later
/// objects of the same layout; the most recent ones are kept for that.
class cufft_plan {
public:
  /// Requires the current context `context`. Slow for a new layout; then `wait_for_device` is called, which must wait
  /// for all work in the context.
  cufft_plan(const cufft_library &, std::uintptr_t context, const cufft_layout &,
             const std::function<void()> &wait_for_device);
  cufft_plan(const cufft_plan &) = delete;
  ~cufft_plan();
  std::size_t scratch_bytes() const noexcept { return scratch_bytes_; }
  /// Sets the stream of the transforms, and the scratch memory, which must be free until they are complete.
  void use(cuda_stream, void *scratch) const;
  /// Puts the transforms into the stream. `sign`: of the exponent, for complex types; real ones have -1 to complex, and
  /// 1 to real, which overwrites `from`.
  void execute(void *from, void *to, int sign) const;

private:
  const cufft_library &library_;
  const std::uintptr_t context_;
  const cufft_layout layout_;
  cufft_handle handle_ = 0;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace dpep::libs
