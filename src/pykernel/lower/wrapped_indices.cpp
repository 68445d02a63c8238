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

#include "jit/compile/agreements.hpp"
#include "jit/compile/preserved.hpp"
#include "pykernel/lower/index_signs.hpp"
#include "pykernel/lower/rising_indices.hpp"

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

/// As `nonnegative_in_loop`, for indices that may wrap around, as in `for j in range(i * i, n, i)`: the start, the step
/// and the number of iterations must be so small that they do not.
llvm::Value *nonnegative_within_limits(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops,
                                       llvm::CallInst &call) {
  constexpr std::uint64_t most_start = std::uint64_t{1} << 62, most_step = std::uint64_t{1} << 31;
  const llvm::Loop *const loop = loops.getLoopFor(call.getParent());
  llvm::Type *const type = call.getType();
  if (!loop || !loop->isInnermost() || !loop->getLoopPreheader() || !type->isIntegerTy(64)) return nullptr;
  const auto *const number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(call.getArgOperand(0)));
  if (!number || number->getLoop() != loop || !number->isAffine()) return nullptr;
  const llvm::SCEV *const iterations = evolution.getSymbolicMaxBackedgeTakenCount(loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(iterations) || iterations->getType() != type) return nullptr;
  llvm::Instruction *const before = loop->getLoopPreheader()->getTerminator();
  llvm::SCEVExpander expander(evolution, "index");
  llvm::IRBuilder<> build(before);
  const std::pair<const llvm::SCEV *, std::uint64_t> limits[] = {
      {number->getStart(), most_start}, {number->getStepRecurrence(evolution), most_step}, {iterations, most_step}};
  if (!llvm::all_of(limits, [&](const auto &each) { return expander.isSafeToExpandAt(each.first, before); }))
    return nullptr;
  llvm::Value *hold = build.getTrue();
  for (const auto &[value, most] : limits) {
    llvm::Value *const known = expander.expandCodeFor(value, type, before);
    hold = build.CreateAnd(hold, build.CreateICmpULT(known, llvm::ConstantInt::get(type, most)));
  }
  return hold;
}

/// Whether the innermost loop of a block has a small constant number of iterations.
bool is_in_short_loop(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops, const llvm::BasicBlock &block) {
  constexpr unsigned most = 16;
  const llvm::Loop *const loop = loops.getLoopFor(&block);
  const unsigned count = loop ? evolution.getSmallConstantTripCount(loop) : 0;
  return count && count <= most;
}

}  // namespace

namespace {

/// The conditions before loops, each computed once. They select between versions of a loop, of which the one with
/// wrapping is right for all work-items, so that those that share a vector take one of them together.
class loop_conditions {
public:
  loop_conditions(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators)
      : evolution_(evolution), loops_(loops), dominators_(dominators) {}

  /// A condition from which follows that the call's index is never negative; null if there is none.
  llvm::Value *of(llvm::CallInst &call) {
    if (llvm::Value *condition = nonnegative_in_loop(evolution_, loops_, call)) return agreement(*condition, call);
    const std::optional<rising_start> start = find_rising_start(evolution_, loops_, dominators_, call);
    if (!start) {
      llvm::Value *condition = nonnegative_within_limits(evolution_, loops_, call);
      return condition ? agreement(*condition, call) : nullptr;
    }
    for (const auto &[known, condition] : rising_)
      if (known == *start) return condition;
    llvm::Value *condition = jit::emit_agreement(*emit_condition(evolution_, *start), *start->before);
    rising_.emplace_back(*start, condition);
    return condition;
  }

private:
  llvm::Value *agreement(llvm::Value &condition, const llvm::CallInst &call) const {
    return jit::emit_agreement(condition, *loops_.getLoopFor(call.getParent())->getLoopPreheader()->getTerminator());
  }

  llvm::ScalarEvolution &evolution_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &dominators_;
  llvm::SmallVector<std::pair<rising_start, llvm::Value *>> rising_;
};

/// Whether the index is loaded, or a quotient of products of variables. Others may advance evenly from work-item to
/// work-item, which later passes recognise in the index as it is.
bool is_irregular(const llvm::Value *index, unsigned depth = 0, bool in_quotient = false) {
  using namespace llvm::PatternMatch;
  constexpr unsigned max_depth = 6;
  if (llvm::isa<llvm::LoadInst>(index)) return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(index);
  if (!instruction || !llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) || depth == max_depth) return false;
  if (in_quotient && match(instruction, m_Mul(m_Unless(m_Constant()), m_Unless(m_Constant())))) return true;
  in_quotient |= instruction->isShift() || instruction->isIntDivRem();
  return llvm::any_of(instruction->operands(),
                      [&](const llvm::Use &use) { return is_irregular(use, depth + 1, in_quotient); });
}

/// Whether the kernel checks the wrapped index, so that others than valid ones matter.
bool is_checked(const llvm::Instruction &wrapped) {
  return llvm::any_of(wrapped.users(), [](const llvm::User *user) {
    return llvm::isa<llvm::ICmpInst>(user) ||
           (llvm::isa<llvm::CastInst>(user) && is_checked(*llvm::cast<llvm::CastInst>(user)));
  });
}

/// The index, counted from the front.
///
/// It is the unsigned minimum of index and index + n: for indices from -n to n - 1, the sum is smaller only if the
/// index is negative. A comparison and a select cost the same, but InstCombine would move them to the addresses, and
/// vectors of addresses have half as many lanes as vectors of 32-bit indices. For the same reason, the index in an
/// array of less than 2^31 elements is wrapped in 32 bits.
llvm::Value *emit_wrapped(llvm::ScalarEvolution &evolution, llvm::CallInst &call) {
  llvm::IRBuilder<> b(&call);
  llvm::Value *index = call.getArgOperand(0), *length = call.getArgOperand(1);
  const bool irregular = is_irregular(index) && !is_checked(call);
  const bool is_short = evolution.getUnsignedRangeMax(evolution.getSCEV(length)).isIntN(31);
  const bool narrows = irregular && is_short && index->getType()->isIntegerTy(64);
  if (narrows) {
    index = b.CreateTrunc(index, b.getInt32Ty());
    length = b.CreateTrunc(length, b.getInt32Ty(), "", /*IsNUW=*/true, /*IsNSW=*/true);
  }
  llvm::Value *wrapped = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, b.CreateAdd(index, length));
  const auto widen = [&](llvm::Type *type) { return b.CreateZExt(wrapped, type, "", /*IsNonNeg=*/true); };
  if (narrows) return widen(call.getType());
  if (irregular)
    for (llvm::User *user : llvm::make_early_inc_range(call.users()))
      if (auto *extended = llvm::dyn_cast<llvm::SExtInst>(user))
        extended->replaceAllUsesWith(widen(extended->getType()));
  return wrapped;
}

/// The index, which is wrapped unless the condition holds.
llvm::Value *emit_selection(llvm::Value &nonnegative, llvm::CallInst &call) {
  llvm::IRBuilder<> b(&call);
  llvm::Value *index = call.getArgOperand(0);
  llvm::Value *wrapped =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, b.CreateAdd(index, call.getArgOperand(1)));
  return b.CreateSelect(&nonnegative, index, wrapped);
}

/// How to replace a call of the placeholder.
struct replacement {
  llvm::CallInst *call;
  bool is_nonnegative;
  llvm::Value *nonnegative_if;  // may be null
};

}  // namespace

llvm::PreservedAnalyses resolve_wrapped_indices::run(llvm::Function &f, llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (is_wrapped_index(i)) calls.push_back(llvm::cast<llvm::CallInst>(&i));
  if (calls.empty()) return llvm::PreservedAnalyses::all();
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(f);
  const auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  loop_conditions conditions(evolution, loops, dominators);
  llvm::SmallVector<replacement> replacements;  // found before any is made: calls prove facts about each other
  for (llvm::CallInst *const call : calls) {
    const bool is_known = is_nonnegative(evolution, dominators, *call);
    if (!is_known && except_short_loops_ && is_in_short_loop(evolution, loops, *call->getParent())) continue;
    replacements.push_back({call, is_known, is_known ? nullptr : conditions.of(*call)});
  }
  for (const auto &[call, is_known, nonnegative_if] : replacements) {
    llvm::Value *result = call->getArgOperand(0);
    if (nonnegative_if)
      result = emit_selection(*nonnegative_if, *call);
    else if (!is_known)
      result = emit_wrapped(evolution, *call);
    evolution.forgetValue(call);
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
  return jit::preserved(true);
}

llvm::PreservedAnalyses drop_index_selections::run(llvm::Function &f, llvm::FunctionAnalysisManager &) {
  using namespace llvm::PatternMatch;
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    llvm::Value *condition = nullptr, *index = nullptr, *wrapped = nullptr;
    if (!match(&i, m_Select(m_Value(condition), m_Value(index), m_Value(wrapped)))) continue;
    if (!match(wrapped, m_c_UMin(m_Specific(index), m_c_Add(m_Specific(index), m_Value())))) continue;
    // In one of the loops that LoopUnswitch has made, the condition is a constant.
    i.replaceAllUsesWith(match(condition, m_One()) ? index : wrapped);
    i.eraseFromParent();
  }
  return jit::preserved(true);
}

}  // namespace dpep::pykernel
