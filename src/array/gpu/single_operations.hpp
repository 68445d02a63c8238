// For programs whose kernels do not compile, or are not compiled yet: executes each operation as a program of its own.
#pragma once

#include <memory>
#include <vector>

#include "array/fusion/program.hpp"
#include "runtime/queue.hpp"

namespace dpep::array::gpu {

/// As run(), but every intermediate result is stored in memory until its last use, and stored values that are used
/// again, or if operands overlap, are copied to their destination at the end. Throws what compiling a single operation
/// throws.
event run_single_operations(const queue &, const program &, const program_arguments &, bool aliased,
                            const ordered_dependencies &, std::vector<std::shared_ptr<void>> owners);

}  // namespace dpep::array::gpu
