// Kernels of dpep have generic pointers: copies a module without OpenCL's address spaces and opaque types.
#pragma once

#include <memory>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace dpep::program_lower {

/// OpenCL's numbers of address spaces, in clang's code for the target spir64.
enum address_space : unsigned { private_space = 0, global_space = 1, constant_space = 2, local_space = 3 };

struct generic_module {
  std::unique_ptr<llvm::Module> module;
  llvm::SmallVector<llvm::GlobalVariable *> local_variables;  // those in local memory
};

/// The same program, in which all pointers are in address space 0. Events are pointers. All calls have C's convention.
generic_module without_address_spaces(const llvm::Module &);

}  // namespace dpep::program_lower
