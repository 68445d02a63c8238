// The host functions that kernels may call.
#pragma once

#include <span>

#include "backend/backend.hpp"

namespace dpep::backend::cpu {

/// Host functions that kernels may call by name: libm, memory functions, assertions, printf.
std::span<const symbol> kernel_symbols() noexcept;

}  // namespace dpep::backend::cpu
