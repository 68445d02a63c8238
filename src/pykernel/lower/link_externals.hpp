// Puts functions of other languages beside the kernel that calls them.
#pragma once

#include "pykernel/translate/kernel_ir.hpp"

namespace llvm {
class Module;
}

namespace dpep::jit {
class llvm_session;
}

namespace dpep::pykernel {

/// Takes the functions and what they need from their libraries. The module is of the session's context.
void link_externals(jit::llvm_session &, const kernel_ir &, llvm::Module &);

}  // namespace dpep::pykernel
