// Launching prepared kernels: their arguments, workspace, the launch itself.
#pragma once

#include <memory>
#include <span>

#include "array/gpu/prepared_kernels.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

/// As program_arguments, wherever they are.
struct argument_values {
  std::span<std::byte *const> memory;
  std::span<const scalar> scalars;
  std::span<const std::pair<scalar, scalar>> ramps;

  argument_values(std::span<std::byte *const> memory, std::span<const scalar> scalars)
      : memory(memory), scalars(scalars) {}
  argument_values(const program_arguments &of) : memory(of.memory), scalars(of.scalars), ramps(of.ramps) {}
};

/// The block of arguments of one launch, on the stack when it is small.
class filled_arguments {
public:
  filled_arguments(const argument_block &, const argument_values &, std::byte *workspace, std::byte *counters);
  filled_arguments(const filled_arguments &) = delete;
  std::span<const std::byte> bytes() const { return {heap_ ? heap_.get() : here_, bytes_}; }

private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(16) std::byte here_[768];
};

event launch(runtime::queue_object &, const prepared_kernel &, std::span<const std::byte> arguments,
             dependencies after);
/// Device memory for as long as it is kept.
std::shared_ptr<void> allocate_workspace(const queue &, std::size_t bytes);

}  // namespace dpep::array::gpu
