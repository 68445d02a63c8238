// Updates of elements at indices on CPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// See executor::update_now.
void update_now(const update_arguments &) noexcept;

}  // namespace dpep::array::cpu
