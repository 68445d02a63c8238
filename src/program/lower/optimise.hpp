// The equivalent of clang's optimisations of C++ kernels, for programs in OpenCL C.
#pragma once

namespace llvm {
class Module;
}

namespace dpep::program_lower {

/// Inlines all functions, promotes variables to registers, and replaces OpenCL's vectors by their elements: the JIT
/// vectorises across work-items. Unrolls short loops; vectorises nothing.
void optimise(llvm::Module &);

}  // namespace dpep::program_lower
