// LAPACK on a queue: calls of the device's library on column-major matrices in USM memory or buffers.
//
// <oneapi/mkl/lapack.hpp> has oneMKL's functions, which fill the structure.
#pragma once

#include <dpep/blas.hpp>

namespace dpep::lapack {

enum class function : std::uint8_t { getrf, getri, getrs, potrf, potrs, geqrf, orgqr, syevd, gesvd, gels };

/// The arguments of a function, named as in LAPACK.
struct call {
  function what;
  dtype type;                             // of the matrices
  char transposed = 'N', triangle = 'U';  // LAPACK's letters
  char job = 'N', second_job = 'N';       // of syevd; of gesvd, for u and vt
  std::int64_t m = 0, n = 0, k = 0;       // k: of orgqr; elsewhere the number of right sides
  blas::operand operands[4]{};            // in the order of the function's arguments
  blas::operand scratch{};
  std::int64_t scratch_size = 0;  // elements
};

/// The number of elements of the scratchpad that the call needs. Operands need no addresses. Throws as `submit`.
DPEP_API std::int64_t scratchpad_size(const queue &, const call &);
/// Submits the call. Throws oneapi::mkl::lapack::invalid_argument for arguments that do not fit, and
/// oneapi::mkl::unimplemented if the device's library does not have the function. A matrix that is singular, not
/// positive definite, or without convergence throws oneapi::mkl::lapack::computation_error, from the call itself if it
/// is complete by then, otherwise from the queue's wait.
DPEP_API event submit(const queue &, const call &, dependencies = {});

}  // namespace dpep::lapack
