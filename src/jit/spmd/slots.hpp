// Where a work-group keeps what its work-items have across barriers: behind the kernel's own scratch memory.
#pragma once

#include <cstddef>

#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

struct entry_frame;
struct work_item_function;

/// An array with an element for each work-item: one value's elements are neighbours, so that they load as vectors.
class slot {
public:
  slot() = default;
  /// Takes room from the item's scratch memory: for values of a type, or for variables of that many bytes.
  slot(work_item_function &, llvm::Type *);
  slot(work_item_function &, std::size_t bytes, llvm::Align);

  llvm::Value *address(llvm::IRBuilder<> &, const entry_frame &, llvm::Value *linear_local_id) const;
  llvm::Value *load(llvm::IRBuilder<> &, const entry_frame &, llvm::Value *linear_local_id) const;
  void store(llvm::IRBuilder<> &, const entry_frame &, llvm::Value *linear_local_id, llvm::Value *) const;

private:
  void take(work_item_function &, llvm::Align);

  llvm::Type *type_ = nullptr, *in_memory_ = nullptr;
  std::size_t offset_ = 0;
};

}  // namespace dpep::jit::spmd
