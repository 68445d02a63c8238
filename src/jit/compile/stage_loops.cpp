// Finds the values of a loop that are constants after full unrolling, and the instructions that become simpler.
#include "jit/compile/stage_loops.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

using value_set = llvm::SmallPtrSet<const llvm::Value *, 16>;

constexpr unsigned most_iterations = 16, most_instructions = 1500;  // of a loop, after unrolling

bool has_barrier(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isConvergent()) return true;
  return false;
}

bool is_constant(const llvm::Value *value, const value_set &known) {
  return llvm::isa<llvm::ConstantInt>(value) || known.contains(value);
}

/// The integers that are constants in each iteration, given the counters among the header's phis.
value_set constants_of_iterations(const llvm::SmallVectorImpl<const llvm::PHINode *> &counters,
                                  llvm::LoopBlocksRPO &order) {
  value_set known(counters.begin(), counters.end());
  for (const llvm::BasicBlock *block : order)
    for (const llvm::Instruction &instruction : *block)
      if (instruction.getType()->isIntegerTy() &&
          llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(instruction) &&
          llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return is_constant(use.get(), known); }))
        known.insert(&instruction);
  return known;
}

/// The same, with the counters that begin at a constant and depend on nothing but counters.
value_set constants_of_iterations(const llvm::Loop &loop, llvm::LoopInfo &loops) {
  llvm::LoopBlocksRPO order(const_cast<llvm::Loop *>(&loop));
  order.perform(&loops);
  llvm::SmallVector<const llvm::PHINode *> counters;
  for (const llvm::PHINode &phi : loop.getHeader()->phis())
    if (phi.getType()->isIntegerTy() &&
        llvm::isa<llvm::ConstantInt>(phi.getIncomingValueForBlock(loop.getLoopPreheader())))
      counters.push_back(&phi);
  for (;;) {
    value_set known = constants_of_iterations(counters, order);
    const std::size_t before = counters.size();
    llvm::erase_if(counters, [&](const llvm::PHINode *phi) {
      return !is_constant(phi->getIncomingValueForBlock(loop.getLoopLatch()), known);
    });
    if (counters.size() == before) return known;
  }
}

/// Whether an instruction with a variable operand takes less time if the other one is a constant. Additions do not,
/// except those to addresses: a distance that is not increased by a constant needs a register and an instruction.
bool is_simpler_with_constant(const llvm::Instruction &instruction, const llvm::Value &constant,
                              llvm::ScalarEvolution &evolution) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Mul:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return true;
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::GetElementPtr:
    return !llvm::isa<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::Value *>(&constant)));
  default:
    return false;
  }
}

bool becomes_simpler(const llvm::Loop &loop, const value_set &known, llvm::ScalarEvolution &evolution) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (known.contains(&instruction)) continue;
      for (const llvm::Use &operand : instruction.operands())
        if (known.contains(operand.get()) && is_simpler_with_constant(instruction, *operand, evolution)) return true;
    }
  return false;
}

}  // namespace

bool is_stage_loop(const llvm::Loop &loop, llvm::ScalarEvolution &evolution, llvm::LoopInfo &loops) {
  if (loop.getHeader()->getParent()->hasFnAttribute(unrolled_attribute)) return false;
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  if (count < 2 || count > most_iterations || !loop.getLoopPreheader() || !loop.getLoopLatch()) return false;
  std::size_t instructions = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) instructions += block->sizeWithoutDebug();
  return count * instructions <= most_instructions && has_barrier(loop) &&
         becomes_simpler(loop, constants_of_iterations(loop, loops), evolution);
}

llvm::PreservedAnalyses mark_stage_loops::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                              llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &) {
  if ((!only_innermost_ || loop.isInnermost()) && is_stage_loop(loop, results.SE, results.LI))
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
  return llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit
