// Kernels whose work-items wait for each other in loops: each work-item has a stack, and takes turns with the others.
//
// A thread begins work-items one after the other; one that waits gives its turn back, and when all that the thread has
// begun wait, it begins more. So everyone comes to run who may be waited for, however many threads there are: one does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>

namespace dpep::backend::cpu {

struct kernel_view;

/// The units of a launch, which threads take one by one, and whether one of them has failed.
struct shared_units {
  std::atomic<std::size_t> &next;
  const std::size_t count;
  const std::atomic<bool> &failed;
};

/// Takes units and runs them until none is left and all that were taken are done, or one has failed, here or elsewhere.
/// Returns what went wrong here; `taken`: how many were begun.
std::exception_ptr run_waiting_items(const kernel_view &, const shared_units &, std::size_t &taken) noexcept;

// What such kernels call, within run_waiting_items:
void yield_item() noexcept;
void wait_for_group() noexcept;
void wait_for_sub_group() noexcept;
/// The value that another lane of the sub-group gives in the same call; one's own if there is no such lane.
std::uint64_t exchange_in_sub_group(std::uint64_t given, std::uint32_t lane) noexcept;

}  // namespace dpep::backend::cpu
