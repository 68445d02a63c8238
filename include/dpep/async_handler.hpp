// The handler of errors that a context gives to its queues.
#pragma once

#include <dpep/queue.hpp>

namespace dpep {

/// Queues of the context that are made later without a handler get this one.
DPEP_API void set_async_handler(const context &, async_handler);

}  // namespace dpep
