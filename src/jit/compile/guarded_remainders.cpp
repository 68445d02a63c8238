#include "jit/compile/guarded_remainders.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace dpep::jit {
namespace {

bool is_slow(const llvm::Instruction &i) {
  const bool remainder = i.getOpcode() == llvm::Instruction::SRem || i.getOpcode() == llvm::Instruction::URem;
  return remainder && i.getType()->isIntegerTy(64) && !llvm::isa<llvm::Constant>(i.getOperand(1));
}

void guard(llvm::BinaryOperator &remainder) {
  llvm::Value *const dividend = remainder.getOperand(0), *const divisor = remainder.getOperand(1);
  llvm::IRBuilder<> builder(&remainder);
  // The operands may be undefined, but not different undefined values in the comparison and in the result.
  llvm::Value *const x = builder.CreateFreeze(dividend), *const m = builder.CreateFreeze(divisor);
  llvm::Value *is_smaller = builder.CreateICmpULT(x, m);
  if (remainder.getOpcode() == llvm::Instruction::SRem)  // as an unsigned number, a negative divisor is large
    is_smaller = builder.CreateAnd(is_smaller, builder.CreateICmpSGT(m, builder.getInt64(0)));
  llvm::BasicBlock *const before = remainder.getParent();
  llvm::Instruction *const divides =
      llvm::SplitBlockAndInsertIfThen(builder.CreateNot(is_smaller), &remainder, /*Unreachable=*/false,
                                      llvm::MDBuilder(remainder.getContext()).createBranchWeights(1, 32));
  llvm::BasicBlock *const after = remainder.getParent();
  auto *const result = llvm::PHINode::Create(remainder.getType(), 2, "remainder", after->begin());
  remainder.replaceAllUsesWith(result);
  remainder.moveBefore(divides->getIterator());
  remainder.setOperand(0, x);
  remainder.setOperand(1, m);
  result->addIncoming(x, before);
  result->addIncoming(&remainder, divides->getParent());
}

}  // namespace

llvm::PreservedAnalyses guard_remainders::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<llvm::BinaryOperator *, 8> found;
  for (llvm::Instruction &each : llvm::instructions(function))
    if (is_slow(each)) found.push_back(llvm::cast<llvm::BinaryOperator>(&each));
  for (llvm::BinaryOperator *const each : found) guard(*each);
  return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit
