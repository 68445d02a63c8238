// Conditions that everything a region does is behind: `if (leader) …`, `if (id < half) …`.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

struct region;

struct effect_guard {
  llvm::Value *condition;
  bool passes_if;

  friend bool operator==(const effect_guard &, const effect_guard &) = default;
};

/// The blocks that have instructions with an `effect`.
llvm::SmallVector<llvm::BasicBlock *> blocks_with(const region &, llvm::function_ref<bool(const llvm::Instruction &)>);

/// The branches in the region that all `effects` are behind.
llvm::SmallVector<effect_guard> guards_of(llvm::ArrayRef<llvm::BasicBlock *> effects, const region &,
                                          const llvm::DominatorTree &);

}  // namespace dpep::jit::spmd
