// Programs on devices that run no host code: as kernels that are generated for them.
#pragma once

#include <memory>
#include <vector>

#include "array/fusion/program.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

/// Whether the queue's array programs run as generated kernels: on GPUs, and on CPUs too where tests or
/// DPEP_ARRAY_KERNELS=generated ask for them.
bool generates_for(const runtime::queue_object &) noexcept;
/// For tests; returns what it was.
bool generate_everywhere(bool) noexcept;

/// As array::run. `aliased`: memory that is written is read, too.
event run(const queue &, const program &, const program_arguments &, bool aliased, dependencies,
          std::vector<std::shared_ptr<void>> owners);

}  // namespace dpep::array::gpu
