// Storage for values of work-items across barriers. For a work-group it is in scratch memory, behind the kernel's own;
// for a sub-group it is on the stack, small enough to become vector registers.
#pragma once

#include <cstddef>

#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

struct entry_frame;
struct work_item_function;

/// Metadata of the stack arrays with an element for each lane of a sub-group.
inline constexpr const char *lanes_metadata = "dpep.lanes";

/// An array with an element for each work-item. The elements of one value are contiguous, so that one vector
/// instruction loads or stores those of several work-items.
class item_array {
public:
  item_array() = default;
  /// For values of one type, or for variables of `bytes` bytes.
  item_array(work_item_function &, const entry_frame &, llvm::Type *);
  item_array(work_item_function &, const entry_frame &, std::size_t bytes, llvm::Align);
  /// For private arrays of `length` elements, in struct-of-arrays layout: for each index, the elements of all
  /// work-items.
  item_array(work_item_function &, const entry_frame &, llvm::Type *element, std::size_t length);

  llvm::Value *start(llvm::IRBuilder<> &, const entry_frame &) const;
  llvm::Value *address(llvm::IRBuilder<> &, const entry_frame &, llvm::Value *linear_local_id) const;
  /// `start`: of this array or another one of the same layout.
  llvm::Value *load(llvm::IRBuilder<> &, llvm::Value *start, llvm::Value *linear_local_id) const;
  void store(llvm::IRBuilder<> &, llvm::Value *start, llvm::Value *linear_local_id, llvm::Value *) const;
  /// All lanes' elements as one vector, in a function of lanes.
  llvm::Value *load_lanes(llvm::IRBuilder<> &) const;
  void store_lanes(llvm::IRBuilder<> &, llvm::Value *) const;
  /// The variable on the stack; null for an array in scratch memory.
  llvm::AllocaInst *on_stack() const { return on_stack_; }

private:
  void allocate(work_item_function &, const entry_frame &, llvm::Align, std::size_t length = 1);

  llvm::Type *type_ = nullptr, *in_memory_ = nullptr;
  llvm::AllocaInst *on_stack_ = nullptr;
  std::size_t offset_ = 0;
};

}  // namespace dpep::jit::spmd
