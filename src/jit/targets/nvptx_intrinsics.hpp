// Operations of LLVM's that the NVPTX code generator has not, or not exactly.
#pragma once

namespace llvm {
class Module;
}

namespace dpep::jit {

/// Remainders, modf and sincos become calls and arithmetic, before the device library is linked in.
void lower_nvptx_intrinsics(llvm::Module &);

}  // namespace dpep::jit
