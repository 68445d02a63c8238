// A thread that looks after tasks whose completion somebody wants to be told of.
#pragma once

#include "backend/cuda/event.hpp"

namespace dpep::backend::cuda {

/// `call`: somebody waits to be called; `release`: there is only something to let go, which has time.
enum class urgency { call, release };

/// Polls the task until it is complete; completion calls back by itself.
void watch(ref<task>, urgency) noexcept;

}  // namespace dpep::backend::cuda
