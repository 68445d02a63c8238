// Narrowing of comparisons of bitwise operations on small integers.
#include "jit/spmd/vector/narrow_comparisons.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/compile/preserved.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_depth = 4;

/// The value as a bitwise operation: each bit depends on the same bits of the operands only. Null: it is another.
const llvm::BinaryOperator *as_bitwise(const llvm::Value *value) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return operation && operation->isBitwiseLogicOp() ? operation : nullptr;
}

/// Whether the value is below 2^31.
bool is_small(llvm::ScalarEvolution &evolution, llvm::Value *value, unsigned depth = 0) {
  if (const auto *operation = as_bitwise(value); operation && depth < max_depth) {
    const bool left = is_small(evolution, operation->getOperand(0), depth + 1);
    const bool either = operation->getOpcode() == llvm::Instruction::And;
    if (left == either) return left;
    return is_small(evolution, operation->getOperand(1), depth + 1);
  }
  return evolution.getUnsignedRangeMax(evolution.getSCEV(value)).ult(std::uint64_t{1} << 31);
}

/// The value's low 32 bits.
llvm::Value *low_half(llvm::IRBuilder<> &b, llvm::Value *value, unsigned depth = 0) {
  if (auto *operation = as_bitwise(value); operation && depth < max_depth)
    return b.CreateBinOp(operation->getOpcode(), low_half(b, operation->getOperand(0), depth + 1),
                         low_half(b, operation->getOperand(1), depth + 1));
  return b.CreateTrunc(value, b.getInt32Ty());
}

}  // namespace

llvm::PreservedAnalyses narrow_comparisons::run(llvm::Function &f, llvm::FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(f);
  bool changed = false;
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    auto *const compare = llvm::dyn_cast<llvm::ICmpInst>(&i);
    if (!compare || !loops.getLoopFor(i.getParent()) || !compare->getOperand(0)->getType()->isIntegerTy(64)) continue;
    llvm::Value *const left = compare->getOperand(0), *const right = compare->getOperand(1);
    if (!as_bitwise(left) && !as_bitwise(right)) continue;
    if (!is_small(evolution, left) || !is_small(evolution, right)) continue;
    llvm::IRBuilder<> b(compare);
    compare->replaceAllUsesWith(b.CreateICmp(compare->getPredicate(), low_half(b, left), low_half(b, right)));
    compare->eraseFromParent();
    changed = true;
  }
  return preserved(changed);
}

}  // namespace dpep::jit::spmd
