// Where what work-items have is kept across barriers: for a work-group's behind the kernel's own scratch memory, for a
// sub-group's in variables on the stack, small enough to become vector registers.
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
  /// For values of a type, or for variables of that many bytes.
  slot(work_item_function &, const entry_frame &, llvm::Type *);
  slot(work_item_function &, const entry_frame &, std::size_t bytes, llvm::Align);
  /// For variables of several parts of a type: an array with an element for each work-item for each part.
  slot(work_item_function &, const entry_frame &, llvm::Type *part, std::size_t parts);

  llvm::Value *start(llvm::IRBuilder<> &, const entry_frame &) const;
  llvm::Value *address(llvm::IRBuilder<> &, const entry_frame &, llvm::Value *linear_local_id) const;
  /// `start`: of another array like this one.
  llvm::Value *load(llvm::IRBuilder<> &, llvm::Value *start, llvm::Value *linear_local_id) const;
  void store(llvm::IRBuilder<> &, llvm::Value *start, llvm::Value *linear_local_id, llvm::Value *) const;
  /// The elements of all lanes at once, where lanes are counted.
  llvm::Value *load_lanes(llvm::IRBuilder<> &) const;
  void store_lanes(llvm::IRBuilder<> &, llvm::Value *) const;
  /// Null if it is in scratch memory.
  llvm::AllocaInst *on_stack() const { return on_stack_; }

private:
  void take(work_item_function &, const entry_frame &, llvm::Align, std::size_t parts = 1);

  llvm::Type *type_ = nullptr, *in_memory_ = nullptr;
  llvm::AllocaInst *on_stack_ = nullptr;
  std::size_t offset_ = 0;
};

}  // namespace dpep::jit::spmd
