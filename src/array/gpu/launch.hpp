// Launching prepared kernels: their arguments, workspace, the launch itself.
#pragma once

#include <memory>
#include <span>

#include "array/gpu/prepare.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

/// The block of arguments of one launch, on the stack when it is small.
class filled_arguments {
public:
  filled_arguments(const argument_block &, const program_arguments &, std::byte *workspace, std::byte *counters);
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
