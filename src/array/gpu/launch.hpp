// Launches prepared kernels: argument block, workspace, and launch command.
#pragma once

#include <memory>
#include <span>

#include "array/executor.hpp"
#include "array/gpu/prepared_kernels.hpp"
#include "array/graph/storage.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

/// As program_arguments, without ownership.
struct argument_values {
  std::span<std::byte *const> memory;
  std::span<const scalar> scalars;
  std::span<const std::pair<scalar, scalar>> ramps;

  argument_values(std::span<std::byte *const> memory, std::span<const scalar> scalars)
      : memory(memory), scalars(scalars) {}
  argument_values(const program_arguments &of) : memory(of.memory), scalars(of.scalars), ramps(of.ramps) {}
};

/// The argument block of one launch; small ones are stored in the object itself.
class filled_arguments {
public:
  filled_arguments(const argument_block &, const argument_values &, std::byte *workspace, std::byte *counters);
  filled_arguments(const filled_arguments &) = delete;
  std::span<const std::byte> bytes() const { return {heap_ ? heap_.get() : inline_, bytes_}; }

private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(16) std::byte inline_[768];
};

event launch(runtime::queue_object &, const prepared_kernel &, std::span<const std::byte> arguments,
             const ordered_dependencies &after);
/// Device memory for array work of the queue, aligned to 256 bytes. The caller releases it as soon as the work is
/// submitted: later array work of the queue can reuse it. On devices without memory_in_order, which cannot, it is added
/// to the work's owners.
ref<storage> allocate_workspace(const queue &, std::size_t bytes, owner_list &);

/// Launches the kernels of a program, in order, and allocates their workspace. Returns the last event.
event run_kernels(const queue &, const prepared_kernels &, const program_arguments &, const ordered_dependencies &after,
                  owner_list);

}  // namespace dpep::array::gpu
