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
/// Waits for the lanes in `mask` at the same call, the one with the number `site` in the code. A mask of 0 stands for
/// the lanes that reach the call before none of the sub-group can go on otherwise; of several such calls, the first one
/// in the code goes on.
void wait_for_sub_group(std::uint32_t site, std::uint64_t mask) noexcept;
/// The same; returns the value that another lane passes to the call, the caller's own if that lane is not among them.
std::uint64_t exchange_in_sub_group(std::uint64_t value, std::uint32_t lane, std::uint32_t site,
                                    std::uint64_t mask) noexcept;

}  // namespace dpep::backend::cpu
