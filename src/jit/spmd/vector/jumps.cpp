// What is worth a jump when no lane is meant, and what must have one.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/vector/endings.hpp"
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned must_jump = 1U << 20;

/// About how many vector instructions it becomes; `must_jump`: it may not be done when no lane is meant.
unsigned cost_of(const llvm::Instruction &instruction, const shapes &shapes, unsigned lanes) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) return 0;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return 0;
    if (llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())) return 2;
  }
  if (is_ending(instruction)) return 2;
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer && !shapes.of(pointer).is_uniform()) {
    const std::int64_t stride = shapes.of(pointer).is_strided() ? shapes.of(pointer).stride : 0;
    const std::uint64_t size =
        instruction.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
    if (shapes.of(pointer).is_turned()) return 6;
    return static_cast<std::uint64_t>(std::abs(stride)) == size ? 2 : lanes;
  }
  if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction))
    return shapes.of(&instruction).is_uniform() && llvm::isSafeToSpeculativelyExecute(&instruction) ? 1 : must_jump;
  if (!instruction.isIntDivRem()) return 1;
  if (shapes.of(&instruction).is_varying()) return lanes;
  return llvm::isSafeToSpeculativelyExecute(&instruction) ? 4 : must_jump;
}

}  // namespace

bool vector_code::wants_jump(llvm::BasicBlock *block, llvm::Loop *level) const {
  constexpr unsigned worth_a_jump = 12;
  unsigned cost = 0;
  llvm::SmallVector<llvm::BasicBlock *> todo{block};
  while (!todo.empty() && cost <= worth_a_jump) {
    llvm::BasicBlock *next = todo.pop_back_val();
    if (analyses_.loops.getLoopFor(next) != level) return true;
    if (next->getTerminator()->getNumSuccessors() > 1 && !shapes_.parts(next)) return true;
    for (const llvm::Instruction &instruction : *next) cost += cost_of(instruction, shapes_, lanes_);
    for (auto *child : analyses_.dominators.getNode(next)->children())
      if (level->contains(child->getBlock())) todo.push_back(child->getBlock());
  }
  return cost > worth_a_jump;
}

}  // namespace dpep::jit::spmd
