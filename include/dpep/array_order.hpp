// Ordering of other work, such as kernels and library calls, with a queue's array operations.
#pragma once

#include <cstdint>
#include <functional>

#include <dpep/array.hpp>

namespace dpep::array {

/// Submits other work on arrays' memory in order with the queue's array operations. `submit` receives the events that
/// the work must wait for, `after` and those of the array operations so far, and returns the work's event, which later
/// array operations wait for and which replaces that of the array operations. Returns the work's event.
DPEP_API event in_turn(const queue &, dependencies after,
                       const std::function<event(const ordered_dependencies &)> &submit);

/// As ndarray::expose, but without waiting: for callers that order their work after the queue themselves. Work in the
/// external `stream` need not keep the memory alive: the memory is not reused before that work is complete.
DPEP_API ndarray::memory_view expose_in_order(const ndarray &, std::uintptr_t stream = 0);

}  // namespace dpep::array
