// Liveness of variables that are only loaded and stored.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Backward data-flow analysis. Variables are numbered by their index in the list given.
class liveness {
public:
  liveness() = default;
  /// `read_at_end`: for some blocks, a variable that is read after the last instruction.
  liveness(
      llvm::Function &, llvm::ArrayRef<llvm::AllocaInst *>,
      const llvm::DenseMap<llvm::BasicBlock *, unsigned> &read_at_end = llvm::DenseMap<llvm::BasicBlock *, unsigned>());

  const llvm::BitVector &at_start(llvm::BasicBlock *block) const { return live_.find(block)->second; }
  const llvm::BitVector &written_in(llvm::BasicBlock *block) const { return written_.find(block)->second; }
  /// Whether the variable is live after the instruction.
  bool is_live_after(llvm::Instruction &, unsigned variable) const;

private:
  int number_of(const llvm::Instruction &access) const;

  llvm::DenseMap<const llvm::Value *, unsigned> number_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BitVector> live_, written_;
};

}  // namespace dpep::jit::spmd
