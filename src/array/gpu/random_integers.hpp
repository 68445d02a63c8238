// Random integers with rejections on GPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::draw_integers.
void draw_integers(const integer_draws &, array_object &to, array_object &report);

}  // namespace dpep::array::gpu
