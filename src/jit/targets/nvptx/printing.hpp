// printf in kernels.
#pragma once

namespace llvm {
class Module;
}

namespace dpep::jit::nvptx_builtins {

/// Replaces calls of printf by calls of the driver's vprintf, which takes the arguments as a structure in memory.
void lower_printing(llvm::Module &);

}  // namespace dpep::jit::nvptx_builtins
