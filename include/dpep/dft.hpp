// Fourier transforms of memory on a queue. <oneapi/mkl/dft.hpp> has oneMKL's descriptors, which fill the structure.
#pragma once

#include <cstdint>
#include <vector>

#include <dpep/blas.hpp>

namespace dpep::dft {

/// A batch of transforms along all axes. Strides and distances are in elements of the side's type.
struct transform {
  bool double_precision = false, real = false;  // real: the forward side is real, the other side has n / 2 + 1 numbers
  std::vector<std::int64_t> lengths;
  /// Of the forward and the backward side: the offset of the first element, and the stride of each axis.
  std::vector<std::int64_t> forward_strides, backward_strides;
  std::int64_t count = 1, forward_distance = 0, backward_distance = 0;
  double forward_scale = 1, backward_scale = 1;
};

/// Computes the transforms from one side to the other, which may be the same memory. Throws
/// oneapi::mkl::invalid_argument for a null pointer, or a buffer that is too small.
DPEP_API event compute(const queue &, const transform &, bool forward, blas::operand from, blas::operand to,
                       dependencies = {});

}  // namespace dpep::dft
