// The ranges of counters are those that scalar evolution knows: as many values as the divisor says, or the numbers for
// which conditions hold that were tested before the remainder.
#include "jit/compile/counter_remainders.hpp"

#include <cstdint>
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::jit {
namespace {

using namespace llvm::PatternMatch;

/// The number that a divisor is if it is positive. Compiled kernels divide by 1 instead of 0 and -1:
/// select(n == -1, 1, umax(n, 1)).
llvm::Value *if_positive(llvm::Value *divisor) {
  llvm::Value *value = divisor, *compared = nullptr, *other = nullptr;
  llvm::SmallVector<llvm::Value *, 4> tested;
  while (true) {
    llvm::CmpPredicate predicate;
    if (match(value, m_Select(m_ICmp(predicate, m_Value(compared), m_CombineOr(m_AllOnes(), m_Zero())), m_One(),
                              m_Value(other))) &&
        predicate == llvm::ICmpInst::ICMP_EQ) {
      tested.push_back(compared);
      value = other;
    } else if (match(value, m_Intrinsic<llvm::Intrinsic::umax>(m_Value(other), m_One()))) {
      value = other;
    } else {
      break;
    }
  }
  return llvm::all_of(tested, [&](const llvm::Value *each) { return each == value; }) ? value : nullptr;
}

/// The numbers that the dividend takes in a loop with `count` iterations. Empty if it is not known to, or if the count
/// may be 0 or negative.
std::optional<number_range> range_of_counter(const llvm::Instruction &remainder, llvm::Value *count,
                                             llvm::ScalarEvolution &evolution) {
  const auto *const dividend = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(remainder.getOperand(0)));
  if (!dividend || !dividend->isAffine() || !dividend->getStepRecurrence(evolution)->isOne()) return std::nullopt;
  const llvm::Loop &loop = *dividend->getLoop();
  if (!loop.contains(&remainder)) return std::nullopt;
  const llvm::SCEV *const taken = evolution.getBackedgeTakenCount(&loop), *const wanted = evolution.getSCEV(count);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(taken) || taken->getType() != wanted->getType()) return std::nullopt;
  const llvm::SCEV *const one = evolution.getOne(wanted->getType()), *const zero = evolution.getZero(wanted->getType());
  if (evolution.getAddExpr(taken, one) != wanted) return std::nullopt;
  if (!evolution.isKnownPositive(wanted) &&
      !evolution.isLoopEntryGuardedByCond(&loop, llvm::ICmpInst::ICMP_SGT, wanted, zero))
    return std::nullopt;
  const auto constant = [](const llvm::SCEV *value) -> std::optional<std::int64_t> {
    const auto *const number = llvm::dyn_cast<llvm::SCEVConstant>(value);
    if (!number || number->getAPInt().getSignificantBits() > 63) return std::nullopt;
    return number->getAPInt().getSExtValue();
  };
  if (const auto first = constant(dividend->getStart())) return number_range{*first, false, &loop};
  // `start` + `count` does not overflow in 64 bits: a loop of 2^62 iterations does not end.
  if (!wanted->getType()->isIntegerTy(64)) return std::nullopt;
  const auto after_count = constant(evolution.getMinusSCEV(dividend->getStart(), wanted));
  if (!after_count) return std::nullopt;
  return number_range{*after_count, true, &loop};
}

/// Whether a condition holds in a block, as is known from the branches to it and to blocks before it. Scalar evolution
/// alone does not look beyond blocks with several predecessors in a loop.
bool holds_in(const llvm::BasicBlock *block, llvm::ICmpInst::Predicate predicate, const llvm::SCEV *left,
              const llvm::SCEV *right, const remainder_analyses &known) {
  const llvm::Loop *const loop = known.loops.getLoopFor(block);
  while (!known.evolution.isKnownPredicateAt(predicate, left, right, block->getTerminator())) {
    const auto *const above = known.dominators.getNode(block)->getIDom();
    if (!above || known.loops.getLoopFor(above->getBlock()) != loop) return false;
    block = above->getBlock();
  }
  return true;
}

/// Whether the number is assumed to be below `count` where the remainder is computed. Scalar evolution itself knows
/// only the assumptions of earlier blocks.
bool is_assumed_below(const llvm::Value *number, const llvm::Value *count, const llvm::Instruction &remainder,
                      const llvm::DominatorTree &dominators) {
  if (llvm::isa<llvm::Constant>(number)) return false;  // constants have no list of users
  return llvm::any_of(number->users(), [&](const llvm::User *each) {
    if (!match(each, m_c_SpecificICmp(llvm::ICmpInst::ICMP_SLT, m_Specific(number), m_Specific(count)))) return false;
    return llvm::any_of(each->users(), [&](const llvm::User *user) {
      const auto *const assumption = llvm::dyn_cast<llvm::AssumeInst>(user);
      return assumption && dominators.dominates(assumption, &remainder);
    });
  });
}

/// The smallest value of the dividend if it is a number from 0 to `count` - 1, plus -1, 0 or 1, as conditions show that
/// hold where the remainder is computed. Empty if they do not.
std::optional<std::int64_t> first_by_conditions(const llvm::Instruction &remainder, llvm::Value *count,
                                                const remainder_analyses &known) {
  using llvm::ICmpInst;
  const llvm::SCEV *const end = known.evolution.getSCEV(count), *const zero = known.evolution.getZero(end->getType());
  const auto is_below_count = [&](llvm::Value *value) {
    const llvm::SCEV *const number = known.evolution.getSCEV(value);
    return (is_assumed_below(value, count, remainder, known.dominators) ||
            holds_in(remainder.getParent(), ICmpInst::ICMP_SLT, number, end, known)) &&
           holds_in(remainder.getParent(), ICmpInst::ICMP_SGE, number, zero, known);
  };
  llvm::Value *const dividend = remainder.getOperand(0), *number = nullptr;
  const llvm::APInt *first = nullptr;
  if (is_below_count(dividend)) return 0;
  if (!match(dividend, m_c_Add(m_Value(number), m_APInt(first))) || !(first->isOne() || first->isAllOnes()))
    return std::nullopt;
  return is_below_count(number) ? std::optional(first->getSExtValue()) : std::nullopt;
}

/// The remainder as Python has it, which is not negative.
llvm::Value *without_division_or_sign(const counted_remainder &r, llvm::Instruction *before) {
  llvm::IRBuilder<> builder(before);
  llvm::Type *const type = r.remainder->getType();
  llvm::Value *const number = r.number(builder);
  if (r.range.first == 0) return number;
  if (r.range.first == 1)
    return builder.CreateSelect(builder.CreateICmpEQ(number, r.count), llvm::ConstantInt::get(type, 0), number);
  // As an unsigned number, -1 is larger than count - 1. LLVM learns from the mask that the result is not negative.
  llvm::Value *const last = builder.CreateSub(r.count, llvm::ConstantInt::get(type, 1));
  llvm::Value *const masked = builder.CreateAnd(last, llvm::APInt::getSignedMaxValue(type->getScalarSizeInBits()));
  return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, number, masked);
}

/// The remainder as LLVM and C++ have it, without a division.
llvm::Value *without_division(const counted_remainder &r) {
  if (r.range.first >= 0 || r.range.plus_count) return without_division_or_sign(r, r.remainder);
  llvm::IRBuilder<> builder(r.remainder);  // -1 % 1 is 0
  llvm::Value *const number = r.number(builder), *const zero = llvm::ConstantInt::get(r.remainder->getType(), 0);
  return builder.CreateSelect(builder.CreateICmpEQ(number, builder.CreateNeg(r.count)), zero, number);
}

/// The additions that make Python's remainders from this one: r + (r != 0 && (r ^ d) < 0 ? d : 0), and
/// r + (r == 0 ? 0 : min(d, 0)) for dividends that are not negative. LLVM drops r != 0 for divisors that are not.
llvm::SmallVector<llvm::Instruction *, 2> sums_with_divisor(const counted_remainder &r) {
  llvm::SmallVector<llvm::Instruction *, 2> found;
  const auto is_r = [&] { return m_Specific(r.remainder); };
  const auto is_d = [&] { return m_Specific(r.divisor()); };
  const auto differs = m_SpecificICmp(llvm::ICmpInst::ICMP_NE, is_r(), m_Zero());
  const auto other_sign = m_SpecificICmp(llvm::ICmpInst::ICMP_SLT, m_c_Xor(is_r(), is_d()), m_Zero());
  const auto is_zero = m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, is_r(), m_Zero());
  for (llvm::User *each : r.remainder->users()) {
    llvm::Value *added = nullptr;
    if (!match(each, m_c_Add(is_r(), m_Value(added)))) continue;
    if (match(added, m_Select(m_CombineOr(m_c_And(differs, other_sign), other_sign), is_d(), m_Zero())) ||
        match(added, m_Select(is_zero, m_Zero(), m_SMin(is_d(), m_Zero()))))
      found.push_back(llvm::cast<llvm::Instruction>(each));
  }
  return found;
}

/// Removes what is superfluous behind a remainder that is from 0 to `count` - 1: count == 0 ? 0 : x, and the index
/// min(x, x + length) of unsigned numbers, which is x + length for a negative x.
void simplify_users(llvm::Value *x, llvm::Value *count, const remainder_analyses &known) {
  if (llvm::isa<llvm::Constant>(x)) return;  // constants have no list of users
  const auto is_not_negative = [&](llvm::Value *value) {
    return known.evolution.isKnownNonNegative(known.evolution.getSCEV(value));
  };
  const auto has_no_elements = m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, m_Specific(count), m_Zero());
  for (llvm::User *each : llvm::SmallVector<llvm::User *, 8>(x->users())) {
    llvm::Value *length = nullptr;
    const bool is_x =
        match(each, m_Select(has_no_elements, m_Zero(), m_Specific(x))) ||
        (match(each, m_c_UMin(m_Specific(x), m_c_Add(m_Specific(x), m_Value(length)))) && is_not_negative(length));
    if (!is_x) continue;
    auto *const superfluous = llvm::cast<llvm::Instruction>(each);
    known.evolution.forgetValue(superfluous);
    superfluous->replaceAllUsesWith(x);
    superfluous->eraseFromParent();
  }
}

}  // namespace

bool is_remainder(const llvm::Instruction &each) {
  return (each.getOpcode() == llvm::Instruction::SRem || each.getOpcode() == llvm::Instruction::URem) &&
         each.getType()->isIntegerTy();
}

llvm::Value *counted_remainder::number(llvm::IRBuilderBase &builder) const {
  llvm::Value *const dividend = remainder->getOperand(0);
  return range.plus_count ? builder.CreateSub(dividend, count) : dividend;
}

std::optional<counted_remainder> as_counted(llvm::BinaryOperator &remainder, const remainder_analyses &known) {
  llvm::Value *const count = if_positive(remainder.getOperand(1));
  if (!count || llvm::isa<llvm::Constant>(count)) return std::nullopt;  // divisions by constants are multiplications
  std::optional<number_range> range = range_of_counter(remainder, count, known.evolution);
  if (!range)
    if (const auto first = first_by_conditions(remainder, count, known)) range = number_range{*first};
  const bool may_be_negative = remainder.getOpcode() == llvm::Instruction::SRem || (range && range->plus_count);
  if (!range || range->first > 1 || range->first < (may_be_negative ? -1 : 0)) return std::nullopt;
  return counted_remainder{&remainder, count, *range};
}

void fold(const counted_remainder &r, const remainder_analyses &known) {
  for (llvm::Instruction *const each : sums_with_divisor(r)) {
    llvm::Value *const value = without_division_or_sign(r, each);
    known.evolution.forgetValue(each);
    each->replaceAllUsesWith(value);
    each->eraseFromParent();
    simplify_users(value, r.count, known);  // first those that are x, then those of x
    simplify_users(value, r.count, known);
  }
  known.evolution.forgetValue(r.remainder);
  r.remainder->replaceAllUsesWith(without_division(r));
  r.remainder->eraseFromParent();
}

bool negate_conditions(llvm::Function &function) {
  bool changed = false;
  for (llvm::BasicBlock &block : function) {
    auto *const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    llvm::Value *one = nullptr, *other = nullptr;
    if (!branch || !branch->isConditional() ||
        !match(branch->getCondition(), m_LogicalOr(m_Not(m_Value(one)), m_Not(m_Value(other)))))
      continue;
    branch->setCondition(llvm::IRBuilder<>(branch).CreateLogicalAnd(one, other));
    branch->swapSuccessors();
    changed = true;
  }
  return changed;
}

llvm::PreservedAnalyses fold_counter_remainders::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<llvm::BinaryOperator *, 8> remainders;
  for (llvm::Instruction &each : llvm::instructions(function))
    if (is_remainder(each)) remainders.push_back(llvm::cast<llvm::BinaryOperator>(&each));
  if (remainders.empty()) return llvm::PreservedAnalyses::all();
  bool changed = negate_conditions(function);
  const remainder_analyses known{manager.getResult<llvm::ScalarEvolutionAnalysis>(function),
                                 manager.getResult<llvm::DominatorTreeAnalysis>(function),
                                 manager.getResult<llvm::LoopAnalysis>(function)};
  for (llvm::BinaryOperator *const each : remainders) {
    const std::optional<counted_remainder> counted = as_counted(*each, known);
    if (counted) fold(*counted, known);
    changed |= counted.has_value();
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace dpep::jit
