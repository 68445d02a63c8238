// Operations of LLVM's that the NVPTX code generator has not, or not exactly.
#pragma once

namespace llvm {
class Module;
}

namespace dpep::jit {

/// Remainders become calls, before the device library is linked in.
void lower_nvptx_intrinsics(llvm::Module &);

/// What the driver's assembler gets wrong: it takes the absolute value of -32768 for positive when it is widened. After
/// all optimisations, which would bring it back.
void lower_for_assembler(llvm::Module &);

}  // namespace dpep::jit
