// Conditions that guard all side effects of a region: `if (leader) …`, `if (id < half) …`.
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

/// A branch condition and the value with which the guarded code is reached.
struct effect_guard {
  llvm::Value *condition;
  bool passes_if;

  friend bool operator==(const effect_guard &, const effect_guard &) = default;
};

/// Returns the blocks with an instruction for which `effect` is true.
llvm::SmallVector<llvm::BasicBlock *> blocks_with(const region &,
                                                  llvm::function_ref<bool(const llvm::Instruction &)> effect);

/// Returns the branches in the region that guard all the blocks in `effects`.
llvm::SmallVector<effect_guard> guards_of(llvm::ArrayRef<llvm::BasicBlock *> effects, const region &,
                                          const llvm::DominatorTree &);

}  // namespace dpep::jit::spmd
