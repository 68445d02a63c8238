// Undoing partial redundancy elimination.
#include "jit/spmd/same_values.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit::spmd {
namespace {

constexpr int deepest = 4;  // computations within computations

bool is_plain(const llvm::Instruction &instruction) {
  const bool integer = instruction.getType()->isIntegerTy() || instruction.getType()->isPointerTy();
  return integer && llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool same(const llvm::Value *a, const llvm::Value *b, int depth = 0) {
  if (a == b) return true;
  const auto *x = llvm::dyn_cast<llvm::Instruction>(a), *y = llvm::dyn_cast<llvm::Instruction>(b);
  if (!x || !y || depth == deepest || !is_plain(*x) || !x->isSameOperationAs(y)) return false;
  for (unsigned i = 0; i < x->getNumOperands(); ++i)
    if (!same(x->getOperand(i), y->getOperand(i), depth + 1)) return false;
  return true;
}

/// What both are made of is there on both ways, so it is there where they meet.
llvm::Value *copy(llvm::Value *value, const llvm::Value *other, llvm::BasicBlock::iterator where) {
  if (value == other) return value;
  auto *made = llvm::cast<llvm::Instruction>(value)->clone();
  const auto *twin = llvm::cast<llvm::Instruction>(other);
  made->dropPoisonGeneratingFlags();  // promises of one way
  for (unsigned i = 0; i < made->getNumOperands(); ++i)
    made->setOperand(i, copy(made->getOperand(i), twin->getOperand(i), where));
  made->insertBefore(where);
  return made;
}

}  // namespace

void compute_where_used(llvm::Function &function) {
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &phi : llvm::make_early_inc_range(block.phis())) {
      if (phi.getNumIncomingValues() != 2) continue;
      llvm::Value *one = phi.getIncomingValue(0), *other = phi.getIncomingValue(1);
      if (one == &phi || other == &phi || one == other || !same(one, other)) continue;
      phi.replaceAllUsesWith(copy(one, other, block.getFirstInsertionPt()));
      phi.eraseFromParent();
    }
}

}  // namespace dpep::jit::spmd
