// DWARF debug information of Python kernels: lines, inlined calls, variables with their types.
#pragma once

#include <map>

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "pykernel/translate/kernel_ir.hpp"

namespace dpep::pykernel {

/// The memory of an IR variable.
struct slot_address {
  llvm::AllocaInst *memory = nullptr;
  std::uint64_t offset = 0;
};

class debug_information {
public:
  debug_information(const kernel_ir &, llvm::Module &, llvm::Function &);
  void set_location(llvm::IRBuilder<> &, std::uint32_t line, std::uint32_t site);
  /// Allocates a Python variable's slots as one object, and sets their addresses.
  void declare(const debug_variable &, llvm::IRBuilder<> &entry, std::vector<slot_address> &addresses);
  void finish();

private:
  /// The debug type of a Python type, and the offset of each slot in it.
  struct shape {
    llvm::DIType *of;
    std::uint64_t bytes;
    std::vector<std::uint64_t> offsets;
  };

  llvm::DIBuilder builder_;
  std::uint32_t line_;  // line of instructions that have none; 0: they keep none
  std::map<std::string, llvm::DIFile *> files_;
  llvm::DICompileUnit *unit_;
  std::vector<llvm::DISubprogram *> functions_;  // by call site
  std::vector<llvm::DILocation *> called_at_;    // by call site; null for the kernel

  llvm::DIFile *file_of(const std::string &path);
  llvm::DISubprogram *function_of(const std::string &name, const std::string &file, std::uint32_t line);
  llvm::DIType *number_type(dtype);
  llvm::DIType *index_list(int count);
  shape structure(const std::string &name, const std::vector<std::pair<std::string, shape>> &members);
  shape shape_of(type);
};

}  // namespace dpep::pykernel
