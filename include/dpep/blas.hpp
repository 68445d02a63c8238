// BLAS on a queue: calls of the device's library on vectors and matrices in USM memory or buffers.
//
// A call is a plain structure, so that one exported function serves all functions, types and kinds of memory.
// <oneapi/mkl/blas.hpp> has oneMKL's functions, which fill it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dpep/buffer.hpp>
#include <dpep/dtype.hpp>

namespace dpep::blas {

enum class function : std::uint8_t {
  asum,
  axpby,
  axpy,
  copy,
  dot,
  dotc,
  dotu,
  iamax,
  iamin,
  nrm2,
  rot,
  rotg,
  rotm,
  rotmg,
  scal,
  sdsdot,
  swap,
  gbmv,
  gemv,
  ger,
  gerc,
  geru,
  hbmv,
  hemv,
  her,
  her2,
  hpmv,
  hpr,
  hpr2,
  sbmv,
  spmv,
  spr,
  spr2,
  symv,
  syr,
  syr2,
  tbmv,
  tbsv,
  tpmv,
  tpsv,
  trmv,
  trsv,
  gemm,
  hemm,
  herk,
  her2k,
  symm,
  syrk,
  syr2k,
  trmm,
  trsm,
};

/// A coefficient: a value, or the address of one in USM memory, which is read when the work runs.
struct scalar {
  alignas(16) std::byte value[16]{};
  const void *address = nullptr;

  template <class T> static scalar of(const T &number) noexcept {
    scalar made;
    std::memcpy(made.value, &number, sizeof number);
    return made;
  }
  static scalar at(const void *address) noexcept {
    scalar made;
    made.address = address;
    return made;
  }
  /// The value, wherever it is.
  const void *get() const noexcept { return address ? address : value; }
  template <class T> T as() const noexcept {
    T number;
    std::memcpy(&number, get(), sizeof number);
    return number;
  }
};

/// A vector, a matrix or a number in memory.
struct operand {
  const void *pointer = nullptr;         // in USM memory
  const dpep::buffer *memory = nullptr;  // or in this buffer, from byte `offset` on, `bytes` long
  std::size_t offset = 0, bytes = 0;
  access mode = access::read;
  std::int64_t step = 0;    // the increment of a vector, the leading dimension of a matrix
  std::int64_t stride = 0;  // elements from one matrix to the next, in a batch
};

/// The arguments of a function, named as in BLAS. Operands are in the order of the function's arguments.
struct call {
  function what;
  dtype type;                     // of the operands
  dtype result = dtype::boolean;  // of the last operand, where it differs (dot and gemm); else boolean
  bool row_major = false;
  char transpose_a = 'N', transpose_b = 'N', side = 'L', triangle = 'U', diagonal = 'N';  // LAPACK's letters
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t lower = 0, upper = 0;  // diagonals of a band matrix
  std::int64_t first_index = 0;       // of iamax and iamin
  scalar alpha{}, beta{};
  operand operands[5]{};
  std::int64_t count = 1;  // calls of a batch with operands[i].stride
};

/// Submits the call. Throws oneapi::mkl::invalid_argument for sizes, increments and leading dimensions that do not fit,
/// and oneapi::mkl::unimplemented if the device's library does not have the function.
DPEP_API event submit(const queue &, const call &, dependencies = {});

/// Calls of gemm in groups: group i has sizes[i] calls with its sizes and coefficients. The arrays are read during the
/// call.
struct gemm_groups {
  dtype type;
  bool row_major;
  std::int64_t groups;
  const char *transpose_a, *transpose_b;  // letters
  const std::int64_t *m, *n, *k;
  const void *alpha;
  const void *const *a;
  const std::int64_t *lda;
  const void *const *b;
  const std::int64_t *ldb;
  const void *beta;
  void *const *c;
  const std::int64_t *ldc;
  const std::int64_t *sizes;
};
DPEP_API event submit(const queue &, const gemm_groups &, dependencies = {});

}  // namespace dpep::blas
