// Replaces comparisons of 64-bit counters by those of 32-bit ones.
#include "jit/compile/narrow_counters.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

constexpr std::uint64_t limit_of_32_bits = std::uint64_t{1} << 32;

/// The largest value in the loop, as far as it is known.
std::uint64_t largest(llvm::Value *value, const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const llvm::SCEV *const known = evolution.applyLoopGuards(evolution.getSCEV(value), &loop);
  return evolution.getUnsignedRange(known).getUnsignedMax().getZExtValue();
}

/// Whether the loop is over a thread's work-items, which later passes recognise.
bool is_over_work_items(const llvm::Loop &loop) {
  return llvm::findStringMetadataForLoop(&loop, "llvm.loop.interleave.count") ||
         llvm::any_of(loop.getHeader()->phis(), [](const auto &phi) { return phi.hasMetadata(item_loop_mark); });
}

class narrowing {
public:
  narrowing(llvm::Loop &loop, llvm::ScalarEvolution &evolution)
      : loop_(loop), evolution_(evolution), build_(loop.getHeader()->getContext()) {}

  /// Replaces the comparison of a counter with a value that does not change in the loop. Returns whether it did.
  bool replace(llvm::ICmpInst &comparison) {
    using namespace llvm::PatternMatch;
    llvm::Value *counter = comparison.getOperand(0), *limit = comparison.getOperand(1);
    if (!counter->getType()->isIntegerTy(64)) return false;
    llvm::CmpInst::Predicate predicate = comparison.getPredicate();
    if (loop_.isLoopInvariant(counter)) {
      std::swap(counter, limit);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (!loop_.isLoopInvariant(limit)) return false;
    llvm::BasicBlock *const preheader = loop_.getLoopPreheader();
    llvm::PHINode *phi = llvm::dyn_cast<llvm::PHINode>(counter);
    llvm::Instruction *next = nullptr;
    const llvm::APInt *step = nullptr;
    llvm::Value *before = nullptr;
    if (!phi && match(counter, m_Add(m_Value(before), m_APInt(step)))) phi = llvm::dyn_cast<llvm::PHINode>(before);
    if (!phi || phi->getParent() != loop_.getHeader()) return false;
    next = llvm::dyn_cast<llvm::Instruction>(phi->getIncomingValueForBlock(loop_.getLoopLatch()));
    if (!next || (counter != phi && counter != next) || !match(next, m_c_Add(m_Specific(phi), m_APInt(step))) ||
        !step->isIntN(31))
      return false;
    // The loop continues while the next value is below the limit, so that its last one exceeds it by a step at most.
    const std::uint64_t most = largest(*limit), first_value = largest(*phi->getIncomingValueForBlock(preheader));
    const bool is_below = counter == next && comparison.user_back() == loop_.getLoopLatch()->getTerminator() &&
                          continues_below(comparison, predicate);
    std::uint64_t last = largest(*phi), last_next = largest(*next);
    if (is_below) last = std::min(last, std::max(most, first_value));
    last_next = std::min(last_next, last + step->getZExtValue());
    // Values below 2^32 are compared as unsigned ones.
    if (std::max({most, last, counter == next ? last_next : 0}) >= limit_of_32_bits) return false;

    llvm::Type *const type = build_.getInt32Ty();
    build_.SetInsertPoint(preheader->getTerminator());
    llvm::Value *const first = build_.CreateTrunc(phi->getIncomingValueForBlock(preheader), type);
    llvm::Value *const narrow_limit = build_.CreateTrunc(limit, type);
    build_.SetInsertPoint(phi);
    llvm::PHINode *const narrow = build_.CreatePHI(type, 2, "counter");
    build_.SetInsertPoint(next);
    llvm::Value *const narrow_next =
        build_.CreateAdd(narrow, build_.getInt32(static_cast<unsigned>(step->getZExtValue())), "",
                         /*HasNUW=*/last_next < limit_of_32_bits);
    narrow->addIncoming(first, preheader);
    narrow->addIncoming(narrow_next, loop_.getLoopLatch());
    build_.SetInsertPoint(&comparison);
    llvm::Value *const replaced = build_.CreateICmp(llvm::ICmpInst::getUnsignedPredicate(predicate),
                                                    counter == phi ? narrow : narrow_next, narrow_limit);
    comparison.replaceAllUsesWith(replaced);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(&comparison);
    return true;
  }

private:
  std::uint64_t largest(llvm::Value &value) const { return jit::largest(&value, loop_, evolution_); }

  /// Whether the loop, which the comparison may end, continues if the counter is less than the limit, or equal.
  bool continues_below(const llvm::ICmpInst &comparison, llvm::CmpInst::Predicate predicate) const {
    const auto *const branch = llvm::cast<llvm::BranchInst>(comparison.user_back());
    if (!loop_.contains(branch->getSuccessor(0))) predicate = llvm::CmpInst::getInversePredicate(predicate);
    return llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate);
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  llvm::IRBuilder<> build_;
};

}  // namespace

llvm::PreservedAnalyses narrow_counters::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                             llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &) {
  if (!loop.getLoopLatch() || !loop.getLoopPreheader() || is_over_work_items(loop))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  narrowing narrow(loop, results.SE);
  bool changed = false;
  for (llvm::BasicBlock *block : exiting)
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()); branch && branch->isConditional())
      if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
          comparison && comparison->hasOneUse() && loop.contains(comparison))
        changed |= narrow.replace(*comparison);
  if (!changed) return llvm::PreservedAnalyses::all();
  results.SE.forgetLoop(&loop);
  return llvm::getLoopPassPreservedAnalyses();
}

}  // namespace dpep::jit
