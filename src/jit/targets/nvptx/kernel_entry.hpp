// Converts the kernel of one work-item to a PTX kernel.
#pragma once

#include "jit/compile/program.hpp"

namespace dpep::jit {

/// Makes the kernel's arguments a by-value parameter, adds abi::launch_parameters as a second one, and lowers the
/// builtins. Launches without work-groups run in blocks of up to abi::max_block_size threads that number work-items
/// linearly. The module must have PTX's triple and data layout. Throws errc::build.
void lower_nvptx_kernel(program &, const specialisation &, compiled_kernel &);

}  // namespace dpep::jit
