// Lowering to an LLVM module, for callers that use LLVM's headers.
#pragma once

#include <memory>

#include "pykernel/translate/kernel_ir.hpp"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace dpep::pykernel {

/// Returns a module with the kernel as a function for one work-item, optimised unless the kernel is compiled for
/// debuggers. Its layout and triple are those of all stored bitcode. `line_tables`: whether to add debug information.
std::unique_ptr<llvm::Module> lower(const kernel_ir &, llvm::LLVMContext &, bool line_tables);

}  // namespace dpep::pykernel
