// Gives OpenCL's built-in functions their definitions.
#pragma once

#include <llvm/IR/Module.h>

#include "jit/compile/llvm_session.hpp"

namespace dpep::program_lower {

/// Defines the built-in functions that the module calls, by src/device/opencl. get_work_dim stays undefined. Throws
/// errc::build for functions that do not exist, such as those of images.
void define_builtins(jit::llvm_session &, llvm::Module &);

/// The symbol of get_work_dim, which a kernel's entry replaces.
inline constexpr char work_dimensions_symbol[] = "_Z12get_work_dimv";

}  // namespace dpep::program_lower
