// Fourier transforms on GPUs.
#pragma once

#include "array/fourier_work.hpp"

namespace dpep::array::gpu {

/// executor::apply: by cuFFT if the device has it, else by kernels.
event transform(const fourier_work &);
/// The same by kernels (fourier_passes.cpp).
event transform_by_kernels(const fourier_work &);

}  // namespace dpep::array::gpu
