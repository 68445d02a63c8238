// Inlining of everything between a kernel and the builtins that it uses.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

/// Inlines into `kernel` every function from which a builtin can be reached, so that builtins are called by the kernel
/// itself only. Throws errc::build for recursion on the way and for such a function called through a pointer.
void inline_users_of_builtins(llvm::Function &kernel);

}  // namespace dpep::jit::spmd
