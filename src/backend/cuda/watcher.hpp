// A thread that looks after tasks whose completion somebody wants to be told of.
#pragma once

#include "backend/cuda/event.hpp"

namespace dpep::backend::cuda {

/// Polls the task until it is complete; completion calls back by itself.
void watch(ref<task>) noexcept;

}  // namespace dpep::backend::cuda
