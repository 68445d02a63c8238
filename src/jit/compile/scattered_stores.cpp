#include "jit/compile/scattered_stores.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace dpep::jit {
namespace {

/// Whether consecutive iterations store to consecutive elements, or all to one.
bool is_consecutive(llvm::StoreInst &store, const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const llvm::SCEV *const address = evolution.getSCEV(store.getPointerOperand());
  if (evolution.isLoopInvariant(address, &loop)) return true;
  const auto *const each = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
  if (!each || each->getLoop() != &loop || !each->isAffine()) return false;
  const auto *const step = llvm::dyn_cast<llvm::SCEVConstant>(each->getStepRecurrence(evolution));
  const llvm::TypeSize size = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  return step && step->getAPInt().abs() == size.getFixedValue();
}

bool only_scatters(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  bool stores = false;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &each : *block) {
      if (auto *const store = llvm::dyn_cast<llvm::StoreInst>(&each)) {
        if (!loop.isLoopInvariant(store->getValueOperand()) || is_consecutive(*store, loop, evolution)) return false;
        stores = true;
      } else if (each.mayReadOrWriteMemory() || each.getType()->isFPOrFPVectorTy()) {
        return false;
      }
    }
  return stores;
}

}  // namespace

llvm::PreservedAnalyses keep_scattered_stores::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  for (llvm::Loop *const loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopID() == nullptr && only_scatters(*loop, evolution))
      llvm::addStringMetadataToLoop(loop, "llvm.loop.isvectorized", 1);
  return llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit
