// Cloning of a phi's incoming computations, the inverse of partial redundancy elimination.
#include "jit/spmd/phi_folding.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit::spmd {
namespace {

constexpr int max_depth = 4;  // of operands' operands

bool is_cheap(const llvm::Instruction &instruction) {
  const bool integer = instruction.getType()->isIntegerTy() || instruction.getType()->isPointerTy();
  return integer && llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool is_same_computation(const llvm::Value *a, const llvm::Value *b, int depth = 0) {
  if (a == b) return true;
  const auto *x = llvm::dyn_cast<llvm::Instruction>(a), *y = llvm::dyn_cast<llvm::Instruction>(b);
  if (!x || !y || depth == max_depth || !is_cheap(*x) || !x->isSameOperationAs(y)) return false;
  for (unsigned i = 0; i < x->getNumOperands(); ++i)
    if (!is_same_computation(x->getOperand(i), y->getOperand(i), depth + 1)) return false;
  return true;
}

/// Clones `value`, which is the same computation as `other`, at the join. Common operands dominate both predecessors,
/// hence the join.
llvm::Value *clone_at(llvm::BasicBlock::iterator join, llvm::Value *value, const llvm::Value *other) {
  if (value == other) return value;
  auto *made = llvm::cast<llvm::Instruction>(value)->clone();
  const auto *twin = llvm::cast<llvm::Instruction>(other);
  made->dropPoisonGeneratingFlags();  // which hold on one path only
  for (unsigned i = 0; i < made->getNumOperands(); ++i)
    made->setOperand(i, clone_at(join, made->getOperand(i), twin->getOperand(i)));
  made->insertBefore(join);
  return made;
}

}  // namespace

void fold_phis_of_equal_values(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &phi : llvm::make_early_inc_range(block.phis())) {
      if (phi.getNumIncomingValues() != 2) continue;
      llvm::Value *one = phi.getIncomingValue(0), *other = phi.getIncomingValue(1);
      if (one == &phi || other == &phi || one == other || !is_same_computation(one, other)) continue;
      phi.replaceAllUsesWith(clone_at(block.getFirstInsertionPt(), one, other));
      phi.eraseFromParent();
    }
}

}  // namespace dpep::jit::spmd
