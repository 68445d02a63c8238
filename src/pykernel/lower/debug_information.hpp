// DWARF of Python kernels, for debuggers: lines, functions at their calls, variables with their types.
#pragma once

#include <map>

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "pykernel/translate/kernel_ir.hpp"

namespace dpep::pykernel {

/// Where a variable slot is in memory.
struct slot_address {
  llvm::AllocaInst *memory = nullptr;
  std::uint64_t offset = 0;
};

class debug_information {
public:
  debug_information(const kernel_ir &, llvm::Module &, llvm::Function &);
  void set_location(llvm::IRBuilder<> &, std::uint32_t line, std::uint32_t site);
  /// Makes one piece of memory of a variable's slots, and fills in where they are.
  void declare(const debug_variable &, llvm::IRBuilder<> &entry, std::vector<slot_address> &addresses);
  void finish();

private:
  /// How debuggers see values of a type, and where in them the slots are.
  struct shape {
    llvm::DIType *of;
    std::uint64_t bytes;
    std::vector<std::uint64_t> offsets;
  };

  llvm::DIBuilder builder_;
  std::uint32_t line_;  // of what has none; 0: it stays without
  std::map<std::string, llvm::DIFile *> files_;
  llvm::DICompileUnit *unit_;
  std::vector<llvm::DISubprogram *> functions_;  // of the sites
  std::vector<llvm::DILocation *> called_at_;    // of the sites; null for the kernel

  llvm::DIFile *file_of(const std::string &path);
  llvm::DISubprogram *function_of(const std::string &name, const std::string &file, std::uint32_t line);
  llvm::DIType *number_type(dtype);
  llvm::DIType *index_list(int count);
  shape structure(const std::string &name, const std::vector<std::pair<std::string, shape>> &members);
  shape shape_of(type);
};

}  // namespace dpep::pykernel
