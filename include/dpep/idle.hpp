// Functions that never wait, for callers that hold an interpreter's lock.
#pragma once

#include <cstddef>

#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

namespace dpep {

/// If the queue has no work and no errors, neither submitted nor deferred, returns true: queue::wait would do nothing.
/// Else, or if only the device's driver knows, returns false. Never blocks.
DPEP_API bool is_idle(const queue &) noexcept;

/// As allocate(), with an alignment of 64, if a freed allocation of the size can be used again at once. Else null.
DPEP_API void *allocate_from_cache(usm_kind, std::size_t bytes, const context &, const device &) noexcept;

}  // namespace dpep
