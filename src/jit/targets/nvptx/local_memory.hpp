// Local memory: one block of shared memory per work-group.
#pragma once

#include <map>

#include "jit/targets/nvptx/builtin_context.hpp"

namespace dpep::jit::nvptx_builtins {

/// Lays out the block and lowers the builtins that return addresses in it. In launches without work-groups, each
/// work-item is a group of its own, whose local memory is private memory.
class local_memory {
public:
  explicit local_memory(builtin_context &context) : context_(context) {}

  llvm::Value *static_memory(const llvm::CallInst &);
  llvm::Value *scratch();
  /// Requires that all static declarations have been lowered, as dynamic local memory follows them.
  llvm::Value *dynamic_memory();
  /// An address in the block, as a generic pointer.
  llvm::Value *address(std::size_t offset);
  /// The size of scratch memory. It is first in the block, as its size is found in advance.
  std::size_t scratch_bytes();

private:
  llvm::Value *allocate_private(llvm::Value *&kept, std::size_t bytes);

  /// A declaration's offset in the static part, or its private memory.
  struct declaration {
    std::size_t offset = 0;
    llvm::Value *private_memory = nullptr;
  };
  builtin_context &context_;
  std::map<llvm::Value *, declaration> declarations_;  // by key; never iterated, so its order does not matter
  llvm::Value *private_scratch_ = nullptr;
  std::size_t scratch_per_item_ = 0;
  bool scratch_known_ = false;
};

}  // namespace dpep::jit::nvptx_builtins
