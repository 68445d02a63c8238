// The object from which a pointer is computed, and the pointer's offset in it.
#pragma once

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>

namespace llvm {
class GEPOperator;
}

namespace dpep::jit::spmd {

/// The members are values of the function, since the object may be selected at run time.
struct pointer_extent {
  llvm::Value *offset;  // in bytes, from the object's start
  llvm::Value *bytes;   // of the object
  llvm::Value *name;    // of the object, for messages
};

/// The extents of a work-item function's pointers. The builtins must not be lowered yet: their calls contain the size
/// of local memory.
class pointer_extents {
public:
  pointer_extents(llvm::Function &, std::size_t group_size);

  /// Returns nothing if the object is unknown. Emits the computation of the extent at the insertion point, or at the
  /// phi or select of the pointer.
  std::optional<pointer_extent> of(llvm::Value *pointer, llvm::IRBuilder<> &build);

private:
  std::optional<pointer_extent> of_object(llvm::Value *base);
  bool may_point_to_object(llvm::Value *pointer);
  pointer_extent of_phi_or_select(llvm::Instruction &);
  pointer_extent of_operand(llvm::Value *pointer, llvm::Instruction &before);
  llvm::Value *make_name(const char *text);

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  const std::size_t group_size_;
  llvm::Type *const size_;
  llvm::DenseMap<llvm::Instruction *, pointer_extent> known_;
  llvm::DenseMap<const char *, llvm::Value *> names_;
};

}  // namespace dpep::jit::spmd
