// Programs whose kernels do not compile, run as programs of one operation each.
#pragma once

#include <memory>
#include <vector>

#include "array/fusion/program.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

/// Whether the program can be cut into programs of fewer operations.
bool has_several_operations(const program &) noexcept;

/// As run() of run.hpp: every operation's result lies in memory until its last use, and what the program stores is
/// copied there in the end. Throws what compiling a single operation throws.
event run_by_operation(const queue &, const program &, const program_arguments &, bool aliased, dependencies,
                       std::vector<std::shared_ptr<void>> owners);

}  // namespace dpep::array::gpu
