// Calls of cuSOLVER and cuBLAS on the memory of arrays, in order with a queue's array work.
#pragma once

#include <functional>
#include <vector>

#include <dpep/array_functions.hpp>

#include "libs/cublas.hpp"
#include "libs/cusolver.hpp"

namespace dpep::array::gpu {

/// Scratch memory of a call, in bytes.
struct scratch_sizes {
  std::size_t device = 0, host = 0;
};
struct scratch_memory : scratch_sizes {
  std::byte *device_memory = nullptr, *host_memory = nullptr;
};

/// The libraries of a queue's device. Throws errc::feature_not_supported if one is not installed.
class cuda_solver {
public:
  cuda_solver(const queue &, const char *operation);

  const libs::cusolver_library &solver;
  const libs::cublas_library &blas;

  /// The scratch sizes that a query of cuSOLVER answers.
  scratch_sizes query(const std::function<void(libs::cusolver_handle, scratch_sizes &)> &) const;
  /// Submits calls of cuSOLVER. `used`: the arrays whose memory they access.
  event submit(std::vector<ndarray> used, scratch_sizes,
               std::function<void(libs::cusolver_handle, const scratch_memory &)> calls) const;
  /// The same for cuBLAS.
  event submit(std::vector<ndarray> used, std::function<void(libs::cublas_handle)> calls) const;

private:
  event submit(std::vector<ndarray> used, scratch_sizes,
               std::function<void(libs::cuda_stream, const scratch_memory &)> calls) const;
  const queue queue_;
};

/// Throws errc::runtime unless a status of cuSOLVER or cuBLAS is 0.
inline void check_solver(libs::status code, const char *function) { libs::check(code, "cuSOLVER", function); }
inline void check_blas(libs::status code, const char *function) { libs::check(code, "cuBLAS", function); }

}  // namespace dpep::array::gpu
