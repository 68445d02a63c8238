// Lowers index wrapping to arithmetic where an index may be negative, and removes it elsewhere.
#include "pykernel/lower/wrapped_indices.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "pykernel/lower/index_signs.hpp"

namespace dpep::pykernel {
namespace {

bool is_wrapped_index(const llvm::Instruction &i) {
  const auto *const call = llvm::dyn_cast<llvm::CallInst>(&i);
  const llvm::Function *const f = call ? call->getCalledFunction() : nullptr;
  return f && (f->getName() == wrapped_index_name(machine_type::i32) ||
               f->getName() == wrapped_index_name(machine_type::i64));
}

/// Whether an earlier condition, or the loop's induction, shows that the index is not negative.
bool is_nonnegative(llvm::ScalarEvolution &evolution, const llvm::DominatorTree &dominators, llvm::CallInst &call) {
  llvm::Value *const index = call.getArgOperand(0);
  if (const auto *const negative = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2))) return negative->isZero();
  const llvm::SCEV *const number = evolution.getSCEV(index);
  return evolution.isKnownPredicateAt(llvm::CmpInst::ICMP_SGE, number, evolution.getZero(index->getType()), &call) ||
         is_nonnegative_by_condition(evolution, dominators, index, call);
}

/// A loop-invariant condition that the index is nonnegative in all iterations of the innermost loop; null if there is
/// none.
llvm::Value *nonnegative_in_loop(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops, llvm::CallInst &call) {
  const llvm::Loop *const loop = loops.getLoopFor(call.getParent());
  if (!loop || !loop->isInnermost() || !loop->getLoopPreheader()) return nullptr;
  const auto *const number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(call.getArgOperand(0)));
  if (!number || number->getLoop() != loop || !number->isAffine() || !number->hasNoSignedWrap()) return nullptr;
  if (!evolution.isKnownNonNegative(number->getStepRecurrence(evolution))) return nullptr;
  llvm::Instruction *const before = loop->getLoopPreheader()->getTerminator();
  llvm::SCEVExpander expander(evolution, "index");
  if (!expander.isSafeToExpandAt(number->getStart(), before)) return nullptr;
  llvm::Value *const start = expander.expandCodeFor(number->getStart(), nullptr, before);
  return llvm::IRBuilder<>(before).CreateIsNotNeg(start);
}

/// Whether the innermost loop of a block has a small constant number of iterations.
bool is_in_short_loop(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops, const llvm::BasicBlock &block) {
  constexpr unsigned most = 16;
  const llvm::Loop *const loop = loops.getLoopFor(&block);
  const unsigned count = loop ? evolution.getSmallConstantTripCount(loop) : 0;
  return count && count <= most;
}

}  // namespace

llvm::PreservedAnalyses resolve_wrapped_indices::run(llvm::Function &f, llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (is_wrapped_index(i)) calls.push_back(llvm::cast<llvm::CallInst>(&i));
  if (calls.empty()) return llvm::PreservedAnalyses::all();
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(f);
  const auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  for (llvm::CallInst *const call : calls) {
    llvm::Value *result = call->getArgOperand(0);
    const bool is_known = is_nonnegative(evolution, dominators, *call);
    if (!is_known && except_short_loops_ && is_in_short_loop(evolution, loops, *call->getParent())) continue;
    if (!is_known) {
      // The unsigned minimum of index and index + n: for indices from -n to n - 1, the sum is smaller only if the index
      // is negative. A comparison and a select cost the same, but InstCombine would move them to the addresses, and
      // vectors of addresses have half as many lanes as vectors of 32-bit indices.
      llvm::IRBuilder<> b(call);
      llvm::Value *const from_end = b.CreateAdd(result, call->getArgOperand(1));
      llvm::Value *const nonnegative = nonnegative_in_loop(evolution, loops, *call);
      llvm::Value *const wrapped = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, result, from_end);
      result = nonnegative ? b.CreateSelect(nonnegative, result, wrapped) : wrapped;
    }
    evolution.forgetValue(call);
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

llvm::PreservedAnalyses drop_index_selections::run(llvm::Function &f, llvm::FunctionAnalysisManager &) {
  using namespace llvm::PatternMatch;
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    llvm::Value *index = nullptr, *wrapped = nullptr;
    if (!match(&i, m_Select(m_Value(), m_Value(index), m_Value(wrapped)))) continue;
    if (!match(wrapped, m_c_UMin(m_Specific(index), m_c_Add(m_Specific(index), m_Value())))) continue;
    i.replaceAllUsesWith(wrapped);
    i.eraseFromParent();
  }
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace dpep::pykernel
