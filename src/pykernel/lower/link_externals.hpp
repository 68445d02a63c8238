// Links functions of other languages into the module of the kernel that calls them.
#pragma once

#include "pykernel/translate/kernel_ir.hpp"

namespace llvm {
class Module;
}

namespace dpep::jit {
class llvm_session;
}

namespace dpep::pykernel {

/// Moves the functions, and definitions that they need, from their libraries. The module must be in the session's
/// context.
void link_externals(jit::llvm_session &, const kernel_ir &, llvm::Module &);

}  // namespace dpep::pykernel
