// The program of a compilation.
#pragma once

#include <memory>
#include <vector>

#include <llvm/IR/Module.h>

#include "jit/launch/compiler.hpp"

namespace dpep::jit {

/// The program that is being compiled: one module with the kernel and everything it calls.
struct program {
  std::unique_ptr<llvm::Module> module;
  llvm::Function *kernel = nullptr;
  bool concurrent_groups = false;       // its work-groups wait for each other
  std::vector<digest> imported_images;  // other images that the linker took functions from
};

}  // namespace dpep::jit
