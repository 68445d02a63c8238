// The inner face of lowering, for who knows LLVM.
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
