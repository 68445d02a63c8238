// Counts iterations where ScalarEvolution knows that their number has one value only.
#include "jit/compile/known_trip_counts.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

constexpr std::uint64_t most_iterations = 16;

}  // namespace

llvm::PreservedAnalyses count_known_trips::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                               llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &) {
  if (loop.getHeader()->getParent()->hasFnAttribute(unrolled_attribute)) return llvm::PreservedAnalyses::all();
  llvm::ScalarEvolution &evolution = results.SE;
  llvm::BasicBlock *const latch = loop.getLoopLatch(), *const before = loop.getLoopPreheader();
  if (!latch || !before || loop.getExitingBlock() != latch) return llvm::PreservedAnalyses::all();
  auto *const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  if (!branch || !branch->isConditional()) return llvm::PreservedAnalyses::all();
  const llvm::SCEV *const taken = evolution.getExitCount(&loop, latch);
  if (llvm::isa<llvm::SCEVCouldNotCompute, llvm::SCEVConstant>(taken)) return llvm::PreservedAnalyses::all();
  const llvm::ConstantRange range = evolution.getUnsignedRange(taken);
  const llvm::APInt *const count = range.getSingleElement();
  if (!count || count->uge(most_iterations)) return llvm::PreservedAnalyses::all();

  llvm::IRBuilder<> build(loop.getHeader(), loop.getHeader()->begin());
  llvm::PHINode *const counter = build.CreatePHI(build.getInt32Ty(), 2, "iteration");
  build.SetInsertPoint(branch);
  llvm::Value *const next = build.CreateNUWAdd(counter, build.getInt32(1));
  counter->addIncoming(build.getInt32(0), before);
  counter->addIncoming(next, latch);
  llvm::Value *const last = build.CreateICmpUGT(next, build.getInt32(static_cast<unsigned>(count->getZExtValue())));
  llvm::Value *const condition = branch->getCondition();
  const bool leaves_if_true = !loop.contains(branch->getSuccessor(0));
  branch->setCondition(leaves_if_true ? last : build.CreateNot(last));
  llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
  evolution.forgetLoop(&loop);
  return llvm::getLoopPassPreservedAnalyses();
}

}  // namespace dpep::jit
