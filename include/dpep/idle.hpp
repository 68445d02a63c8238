// Waits that take no time, for callers that hold an interpreter's lock.
#pragma once

#include <dpep/queue.hpp>

namespace dpep {

/// If the queue has no work and no errors, neither submitted nor deferred, returns true: queue::wait would do nothing.
/// Else, or if only the device's driver knows, returns false. Never blocks.
DPEP_API bool is_idle(const queue &) noexcept;

}  // namespace dpep
