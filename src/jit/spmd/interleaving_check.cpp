// The search for accesses that the vectoriser would interleave, and for conflicting accesses in between.
#include "jit/spmd/interleaving_check.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit::spmd {
namespace {

struct access {
  llvm::Instruction *instruction;
  const llvm::SCEVAddRecExpr *strided = nullptr;  // the address, if it is an affine recurrence of the loop
  bool writes = false;
};

class loop_check {
public:
  loop_check(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution, llvm::AAResults &aliases)
      : evolution_(evolution), aliases_(aliases) {
    llvm::LoopBlocksRPO order(&loop);
    order.perform(&loops);
    for (llvm::BasicBlock *block : order)
      for (llvm::Instruction &instruction : *block)
        if (instruction.mayReadOrWriteMemory()) add(instruction, loop);
  }

  bool may_miscompile() {
    for (std::size_t i = 0; i < accesses_.size(); ++i)
      for (std::size_t j = i + 1; j < accesses_.size(); ++j) {
        if (!may_interleave(accesses_[i], accesses_[j])) continue;
        // The later load moves up to the earlier; the earlier store down to the later.
        const access &moved = accesses_[i].writes ? accesses_[i] : accesses_[j];
        for (std::size_t between = i + 1; between < j; ++between)
          if (conflict(moved, accesses_[between])) return true;
      }
    return false;
  }

  void remove_mark() {
    for (access &each : accesses_) each.instruction->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
  }

private:
  void add(llvm::Instruction &instruction, llvm::Loop &loop) {
    access made{.instruction = &instruction, .writes = instruction.mayWriteToMemory()};
    if (llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      auto *address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(pointer));
      if (address && address->getLoop() == &loop && address->isAffine()) made.strided = address;
    }
    accesses_.push_back(made);
  }

  bool may_interleave(const access &a, const access &b) {
    if (!a.strided || !b.strided || a.writes != b.writes) return false;
    auto *step = llvm::dyn_cast<llvm::SCEVConstant>(a.strided->getStepRecurrence(evolution_));
    if (!step || step != b.strided->getStepRecurrence(evolution_)) return false;
    auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(a.strided, b.strided));
    return distance && distance->getAPInt().abs().ult(step->getAPInt().abs());
  }

  bool conflict(const access &moved, const access &between) {
    if (!moved.writes && !between.writes) return false;
    if (queries_++ > 4096) return true;  // limits compile time for a huge body
    return llvm::isModOrRefSet(
        aliases_.getModRefInfo(between.instruction, llvm::MemoryLocation::get(moved.instruction)));
  }

  llvm::ScalarEvolution &evolution_;
  llvm::BatchAAResults aliases_;
  llvm::SmallVector<access> accesses_;
  unsigned queries_ = 0;
};

}  // namespace

llvm::PreservedAnalyses interleaving_check::run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->isAnnotatedParallel()) continue;
    loop_check check(*loop, loops, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function),
                     analyses.getResult<llvm::AAManager>(function));
    if (check.may_miscompile()) check.remove_mark();
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit::spmd
