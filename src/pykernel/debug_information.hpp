// Line tables and variables of Python kernels, for debuggers.
#pragma once

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "pykernel/code.hpp"

namespace dpep::pykernel {

class debug_information {
public:
  debug_information(const code &, llvm::Module &, llvm::Function &);
  void set_line(llvm::IRBuilder<> &, std::uint32_t line);
  /// A variable of the kernel, which lies in memory.
  void declare(llvm::AllocaInst &, const variable_slot &, llvm::BasicBlock &entry);
  void finish();

private:
  llvm::DIBuilder builder_;
  llvm::DIFile *file_;
  llvm::DISubprogram *function_;
  std::uint32_t line_;

  llvm::DIType *type_of(machine);
};

}  // namespace dpep::pykernel
