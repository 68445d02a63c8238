// Inlining of all functions between a kernel and the builtins that it uses.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

/// Inlines into `kernel` every function from which a builtin can be reached, so that only the kernel calls builtins.
/// Throws errc::build if such a function is recursive or is called through a pointer.
void inline_users_of_builtins(llvm::Function &kernel);

}  // namespace dpep::jit::spmd
