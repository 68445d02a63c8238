// Random permutations on GPUs.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// See executor::draw_targets.
void draw_targets(array_object &words, array_object &targets, array_object &report);
/// See executor::exchange.
void exchange(array_object &targets, std::int64_t size, array_object &to);

}  // namespace dpep::array::gpu
