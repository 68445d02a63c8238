// The steady clock in nanoseconds: the time base of event timestamps, cost estimates and traces.
#pragma once

#include <chrono>
#include <cstdint>

namespace dpep::backend {

inline std::uint64_t nanoseconds(std::chrono::steady_clock::time_point t) noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count());
}

inline std::uint64_t now() noexcept { return nanoseconds(std::chrono::steady_clock::now()); }

}  // namespace dpep::backend
