// Fourier transforms on CPUs.
#pragma once

#include "array/fourier_work.hpp"

namespace dpep::array::cpu {

/// executor::apply
event transform(const fourier_work &);

}  // namespace dpep::array::cpu
