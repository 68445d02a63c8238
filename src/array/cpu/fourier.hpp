// Fourier transforms on CPUs.
#pragma once

#include "array/fourier_work.hpp"

namespace dpep::array::cpu {

/// executor::apply
event transform(const fourier_work &);
/// executor::apply_now
bool transform_now(const fourier_work &);

}  // namespace dpep::array::cpu
