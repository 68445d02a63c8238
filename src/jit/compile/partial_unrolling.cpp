// The choice of loops, by their lengths and what they contain.
#include "jit/compile/partial_unrolling.hpp"

#include <algorithm>
#include <bit>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

constexpr unsigned most_instructions = 256;  // of an unrolled loop
// Iterations of a loop whose number is known, and of others, which need a second loop for the rest.
constexpr unsigned most_of_constant = 8, most_of_variable = 4;

/// Whether the loop calls functions, which take long anyway, or has barriers or shuffles. All work-items of a group
/// execute these together, so that the second loop, for the rest, must not have copies of them.
bool has_calls(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(call)) return true;
  return false;
}

unsigned iterations(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  unsigned instructions = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) instructions += static_cast<unsigned>(block->sizeWithoutDebug());
  const unsigned fit = most_instructions / std::max(instructions, 1U);
  if (const unsigned constant = evolution.getSmallConstantTripCount(&loop)) {
    unsigned count = most_of_constant;
    while (count > 1 && (count > fit || constant % count != 0)) count /= 2;
    return count;
  }
  if (!evolution.hasLoopInvariantBackedgeTakenCount(&loop) || loop.getNumBlocks() != 1) return 1;
  return std::min(std::bit_floor(std::max(fit, 1U)), most_of_variable);
}

}  // namespace

llvm::PreservedAnalyses mark_short_loops::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  if (function.hasFnAttribute(unrolled_attribute)) return llvm::PreservedAnalyses::all();
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified || has_calls(*loop))
      continue;
    if (const unsigned count = iterations(*loop, evolution); count > 1)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", count);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit
