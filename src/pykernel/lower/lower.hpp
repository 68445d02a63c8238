// Lowering to an LLVM module, for callers that use LLVM's headers.
#pragma once

#include <memory>

#include "pykernel/translate/kernel_ir.hpp"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace dpep::pykernel {

std::unique_ptr<llvm::Module> lower(const kernel_ir &, llvm::LLVMContext &, bool line_tables);

}  // namespace dpep::pykernel
