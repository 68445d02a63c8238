// Work of other kinds among the array work of a queue.
#pragma once

#include <cstdint>
#include <functional>

#include <dpep/array.hpp>

namespace dpep::array {

/// Work by other means on arrays' memory, in turn: `submit` gets what it has to wait for, which is `after` and the
/// array work asked for so far, and array work that is asked for later waits for the event that it returns, which is
/// returned.
DPEP_API event in_turn(const queue &, dependencies after, const std::function<event(dependencies)> &submit);

/// As ndarray::expose, but without waiting: for others who order what they do after the queue themselves. Those who use
/// the memory in this stream need not keep it until that is done: it is not used again before.
DPEP_API ndarray::memory_view expose_in_order(const ndarray &, std::uintptr_t stream = 0);

}  // namespace dpep::array
