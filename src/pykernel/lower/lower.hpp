// The inner face of lowering, for who knows LLVM.
#pragma once

#include <memory>

#include "pykernel/translate/code.hpp"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace dpep::pykernel {

std::unique_ptr<llvm::Module> lower(const code &, llvm::LLVMContext &, bool line_tables);

}  // namespace dpep::pykernel
