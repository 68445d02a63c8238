// Fourier transforms on GPUs.
#pragma once

#include "array/fourier_work.hpp"

namespace dpep::array::gpu {

/// executor::apply
event transform(const fourier_work &);

}  // namespace dpep::array::gpu
