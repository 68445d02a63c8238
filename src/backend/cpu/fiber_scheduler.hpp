// Kernels whose work-items wait for each other in loops: each work-item runs as a fiber.
//
// A thread starts work-items one after another. A work-item that waits yields, and when all that the thread has started
// wait, the thread starts more. So every work-item that others may wait for gets to run, on any number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace dpep::backend::cpu {

struct kernel_view;

/// The units of a launch, which its threads take one by one.
struct shared_units {
  std::atomic<std::size_t> &next;
  const std::size_t count;
  const std::atomic<bool> &failed;  // set when a unit has failed on any thread
};

/// Takes units and runs them until none is left and all taken ones are done, or one has failed on any thread. Returns
/// the error on this thread, or null; `taken` is set to the number of units that were taken.
std::exception_ptr run_on_fibers(const kernel_view &, const shared_units &, std::size_t &taken) noexcept;

// Functions that such kernels call:
void yield_item() noexcept;
void wait_for_group() noexcept;
void wait_for_sub_group() noexcept;
/// Returns the value that another lane of the sub-group passes to the same call; the caller's own if there is no such
/// lane.
std::uint64_t exchange_in_sub_group(std::uint64_t value, std::uint32_t lane) noexcept;

}  // namespace dpep::backend::cpu
