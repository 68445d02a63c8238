// Sorts of numbers in memory, by the array engine.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/dtype.hpp>
#include <dpep/queue.hpp>

namespace dpep::memory_sorting {

/// Sorts numbers in memory that the queue's device reads. NaNs are greater than all numbers. The order of zeros of both
/// signs is unspecified. The dependencies are waited for during the call.
DPEP_API event sort(const queue &, dtype, void *numbers, std::size_t count, bool descending, dependencies = {});
/// Writes the positions of the numbers in order. Equal numbers keep their order.
DPEP_API event sort_positions(const queue &, dtype, const void *numbers, std::int64_t *positions, std::size_t count,
                              bool descending, dependencies = {});

}  // namespace dpep::memory_sorting
