// Decides which code a branch skips if no lane is active: code that is expensive, or must not be executed then.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/vector/control_flow.hpp"
#include "jit/spmd/vector/noreturn_exits.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned must_skip = 1U << 20;

/// Approximate number of vector instructions; `must_skip`: it must not be executed if no lane is active.
unsigned cost_of(const llvm::Instruction &instruction, const shapes &shapes, unsigned lanes) {
  if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) return 0;
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (intrinsic->isAssumeLikeIntrinsic()) return 0;
    if (llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())) return 2;
  }
  if (is_noreturn_exit(instruction)) return 2;
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer && !shapes.of(pointer).is_uniform()) {
    const std::int64_t stride = shapes.of(pointer).is_strided() ? shapes.of(pointer).stride : 0;
    const std::uint64_t size =
        instruction.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
    if (shapes.of(pointer).is_permuted()) return 6;
    return static_cast<std::uint64_t>(std::abs(stride)) == size ? 2 : lanes;
  }
  if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction))
    return shapes.of(&instruction).is_uniform() && llvm::isSafeToSpeculativelyExecute(&instruction) ? 1 : must_skip;
  if (!instruction.isIntDivRem()) return 1;
  if (shapes.of(&instruction).is_varying()) return lanes;
  return llvm::isSafeToSpeculativelyExecute(&instruction) ? 4 : must_skip;
}

}  // namespace

bool needs_skip_branch(const vector_code &code, llvm::BasicBlock *block, llvm::Loop *level) {
  constexpr unsigned max_cost = 12;
  unsigned cost = 0;
  llvm::SmallVector<llvm::BasicBlock *> todo{block};
  while (!todo.empty() && cost <= max_cost) {
    llvm::BasicBlock *next = todo.pop_back_val();
    if (code.analyses.loops.getLoopFor(next) != level) return true;
    if (next->getTerminator()->getNumSuccessors() > 1 && !code.shapes.is_divergent(next)) return true;
    for (const llvm::Instruction &instruction : *next) cost += cost_of(instruction, code.shapes, code.lanes);
    for (auto *child : code.analyses.dominators.getNode(next)->children())
      if (level->contains(child->getBlock())) todo.push_back(child->getBlock());
  }
  return cost > max_cost;
}

}  // namespace dpep::jit::spmd
