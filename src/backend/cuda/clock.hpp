// The steady clock in nanoseconds, to which the GPU's stamps are brought.
#pragma once

#include <chrono>
#include <cstdint>

namespace dpep::backend::cuda {

inline std::uint64_t now() noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

}  // namespace dpep::backend::cuda
