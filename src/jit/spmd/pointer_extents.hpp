// From what object a pointer is computed, and how far into it it leads.
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

/// What a pointer may be used for. Values of the function: pointers may be chosen among objects as the kernel runs.
struct pointer_extent {
  llvm::Value *offset;  // in bytes, from the object's start
  llvm::Value *bytes;   // of the object
  llvm::Value *what;    // the object's name, as the user knows it
};

/// For a work-item's function in which the builtins are there that say how large local memory is.
class pointer_extents {
public:
  pointer_extents(llvm::Function &, std::size_t group_size);

  /// None: the object is not known. What it takes to compute the extent goes to where `build` is, or to where the
  /// pointer is chosen.
  std::optional<pointer_extent> of(llvm::Value *pointer, llvm::IRBuilder<> &build);

private:
  std::optional<pointer_extent> of_object(llvm::Value *start);
  bool leads_to_object(llvm::Value *pointer);
  pointer_extent of_choice(llvm::Instruction &choice);
  pointer_extent of_chosen(llvm::Value *pointer, llvm::Instruction &before);
  llvm::Value *name(const char *text);

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  const std::size_t group_size_;
  llvm::Type *const size_;
  llvm::DenseMap<llvm::Instruction *, pointer_extent> choices_;
  llvm::DenseMap<const char *, llvm::Value *> names_;
};

}  // namespace dpep::jit::spmd
