// The search for values that differ in the first or last iteration only, and the peeling.
#include "jit/compile/border_iterations.hpp"

#include <optional>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopPeel.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/compile/counter_remainders.hpp"
#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit {
namespace {

using namespace llvm::PatternMatch;
using predicate = llvm::ICmpInst::Predicate;

constexpr std::size_t most_instructions = 400;  // of a loop whose first and last iterations become copies

enum class side { first, last };

/// A comparison, minimum or maximum that has one value in the first or last iteration, and another in all others.
/// Both values are constants, or operands of the instruction.
struct border_value {
  llvm::Instruction *value;
  side at;
  llvm::Value *inner, *border;
};

/// Compares a counter with a number that does not change in the loop.
class border_test {
public:
  border_test(const llvm::Loop &loop, llvm::ScalarEvolution &evolution)
      : loop_(loop), evolution_(evolution), taken_(evolution.getBackedgeTakenCount(&loop)) {}

  /// The iteration in which the comparison `left` < `right`, or `left` <= `right` with `or_equal`, has another value
  /// than in all others.
  std::optional<side> of_order(llvm::Value *left, llvm::Value *right, bool is_signed, bool or_equal) {
    const llvm::SCEVAddRecExpr *const counter = counter_in(left);
    if (!counter || !evolution_.isLoopInvariant(evolution_.getSCEV(right), &loop_)) return std::nullopt;
    const auto *const start = llvm::dyn_cast<llvm::SCEVConstant>(counter->getStart());
    // A start of 31 bits: `start` - 1 and `start` + 1 do not overflow the type of 64 bits.
    if (!start || start->getAPInt().getSignificantBits() > 31 || start->getType()->getScalarSizeInBits() < 33 ||
        !(is_signed ? counter->hasNoSignedWrap() : counter->hasNoUnsignedWrap()))
      return std::nullopt;
    if (!is_signed && start->getAPInt().isNegative()) return std::nullopt;
    const llvm::SCEV *const from_start = evolution_.getMinusSCEV(evolution_.getSCEV(right), start);
    const llvm::SCEV *const one = evolution_.getOne(start->getType());
    const llvm::SCEV *const of_strict = or_equal ? evolution_.getAddExpr(from_start, one) : from_start;
    if (of_strict->isOne()) return side::first;
    return of_strict == taken_ ? std::optional(side::last) : std::nullopt;
  }

  /// The iteration in which `left` == `right`, if there is only one.
  std::optional<side> of_equality(llvm::Value *left, llvm::Value *right) {
    const llvm::SCEVAddRecExpr *const counter = counter_in(left);
    if (!counter || !evolution_.isLoopInvariant(evolution_.getSCEV(right), &loop_)) return std::nullopt;
    const llvm::SCEV *const from_start = evolution_.getMinusSCEV(evolution_.getSCEV(right), counter->getStart());
    if (from_start->isZero()) return side::first;
    return from_start == taken_ ? std::optional(side::last) : std::nullopt;
  }

private:
  /// The value, if it advances by 1 with each iteration, and has the type in which these are counted.
  const llvm::SCEVAddRecExpr *counter_in(llvm::Value *value) {
    if (!evolution_.isSCEVable(value->getType()) || llvm::isa<llvm::SCEVCouldNotCompute>(taken_) ||
        value->getType() != taken_->getType())
      return nullptr;
    const auto *const found = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(value));
    if (!found || found->getLoop() != &loop_ || !found->isAffine()) return nullptr;
    return found->getStepRecurrence(evolution_)->isOne() ? found : nullptr;
  }

  const llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  const llvm::SCEV *taken_;
};

std::optional<border_value> as_border_value(llvm::ICmpInst &compared, border_test &test) {
  llvm::Value *left = compared.getOperand(0), *right = compared.getOperand(1);
  predicate what = compared.getPredicate();
  const auto *const counted = llvm::dyn_cast<llvm::Instruction>(right);
  for (const bool swapped : {false, true}) {
    if (swapped && !counted) break;
    if (swapped) {
      std::swap(left, right);
      what = llvm::ICmpInst::getSwappedPredicate(what);
    }
    const bool equality = llvm::ICmpInst::isEquality(what);
    // left > right is !(left <= right), left >= right is !(left < right).
    const bool negated =
        equality ? what == predicate::ICMP_NE : llvm::ICmpInst::isGT(what) || llvm::ICmpInst::isGE(what);
    const bool or_equal = llvm::ICmpInst::isLE(what) || llvm::ICmpInst::isGT(what);
    const std::optional<side> at =
        equality ? test.of_equality(left, right) : test.of_order(left, right, compared.isSigned(), or_equal);
    if (!at) continue;
    const bool at_border = equality || *at == side::first;  // of the comparison that is not negated
    llvm::Constant *const yes = llvm::ConstantInt::getTrue(compared.getType());
    llvm::Constant *const no = llvm::ConstantInt::getFalse(compared.getType());
    const bool border = at_border != negated;
    return border_value{&compared, *at, border ? no : yes, border ? yes : no};
  }
  return std::nullopt;
}

/// min(j + 1, n - 1) is n - 1 in the last iteration and j + 1 in all others, max(j - 1, 0) is 0 in the first.
std::optional<border_value> as_border_value(llvm::MinMaxIntrinsic &clamped, border_test &test) {
  const predicate what = clamped.getPredicate();
  const bool minimum = llvm::ICmpInst::isLT(what);
  for (const unsigned of : {0U, 1U}) {
    llvm::Value *const number = clamped.getArgOperand(of), *const limit = clamped.getArgOperand(1 - of);
    const std::optional<side> at = test.of_order(number, limit, clamped.isSigned(), /*or_equal=*/minimum);
    if (at && *at == (minimum ? side::last : side::first)) return border_value{&clamped, *at, number, limit};
  }
  return std::nullopt;
}

/// Whether the value decides in the loop on addresses or branches.
bool decides_accesses(const llvm::Instruction &value, const llvm::Loop &loop) {
  llvm::SmallVector<const llvm::Instruction *, 16> left = {&value};
  llvm::SmallPtrSet<const llvm::Instruction *, 16> seen = {&value};
  while (!left.empty()) {
    for (const llvm::User *const user : left.pop_back_val()->users()) {
      const auto *const each = llvm::cast<llvm::Instruction>(user);
      if (!loop.contains(each)) continue;
      if (llvm::isa<llvm::GetElementPtrInst>(each)) return true;
      if (const auto *const branch = llvm::dyn_cast<llvm::BranchInst>(each))
        if (branch->getParent() != loop.getLoopLatch()) return true;
      const bool computes = each->getType()->isIntegerTy() && !each->mayReadOrWriteMemory();
      if (computes && seen.insert(each).second) left.push_back(each);
    }
  }
  return false;
}

/// Moves what every iteration computes alike out of a loop: remainders of an outer loop's counter, and its next value.
/// The copies of the body would make it variables of which scalar evolution knows nothing.
void hoist_invariants(llvm::Loop &loop, llvm::ScalarEvolution &evolution, const llvm::DominatorTree &dominators) {
  llvm::SimpleLoopSafetyInfo safety;
  safety.computeLoopSafetyInfo(&loop);
  llvm::Instruction *const before = loop.getLoopPreheader()->getTerminator();
  bool changed = false;
  for (llvm::BasicBlock *const block : loop.blocks())
    for (llvm::Instruction &each : llvm::make_early_inc_range(*block)) {
      if (loop.makeLoopInvariant(&each, changed, before, nullptr, &evolution)) continue;
      if (!is_remainder(each) || !loop.hasLoopInvariantOperands(&each) ||
          !safety.isGuaranteedToExecute(each, &dominators, &loop))
        continue;
      each.moveBefore(before->getIterator());
      evolution.forgetBlockAndLoopDispositions(&each);
    }
}

/// Gives the branch at the end of the loop a comparison of its own, which peeling changes.
void separate_exit_condition(llvm::Loop &loop) {
  auto *const branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  if (!branch || !branch->isConditional()) return;
  auto *const condition = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!condition || condition->hasOneUse()) return;
  llvm::Instruction *const own = condition->clone();
  own->insertBefore(branch->getIterator());
  branch->setCondition(own);
}

/// Removes min(x, x + length) of unsigned numbers, the index of an element that is counted from the end if x < 0, where
/// x is not negative in the iterations that are left.
void drop_wraps(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const auto is_not_negative = [&](llvm::Value *value) {
    return evolution.isKnownNonNegative(evolution.getSCEV(value));
  };
  for (llvm::BasicBlock *const block : loop.blocks())
    for (llvm::Instruction &each : llvm::make_early_inc_range(*block)) {
      llvm::Value *x = nullptr, *length = nullptr;
      if (!match(&each, m_c_UMin(m_Value(x), m_c_Add(m_Deferred(x), m_Value(length))))) continue;
      if (!is_not_negative(x) || !is_not_negative(length)) continue;
      evolution.forgetValue(&each);
      each.replaceAllUsesWith(x);
      each.eraseFromParent();
    }
}

class peeling {
public:
  peeling(llvm::Function &function, llvm::FunctionAnalysisManager &manager)
      : items_are_apart_(function.hasFnAttribute("dpep-single-item")),
        dominators_(manager.getResult<llvm::DominatorTreeAnalysis>(function)),
        loops_(manager.getResult<llvm::LoopAnalysis>(function)),
        assumptions_(manager.getResult<llvm::AssumptionAnalysis>(function)),
        known_{manager.getResult<llvm::ScalarEvolutionAnalysis>(function), dominators_, loops_} {}

  bool of_all_loops() {
    bool changed = false;
    for (llvm::Loop *const loop : loops_.getLoopsInPreorder())
      if (is_innermost_of_item(*loop)) changed |= of(*loop);
    return changed;
  }

private:
  bool is_innermost_of_item(const llvm::Loop &) const;
  void find_values(llvm::Loop &);
  bool differs_at(side) const;
  bool of(llvm::Loop &);

  const bool items_are_apart_;
  llvm::DominatorTree &dominators_;
  llvm::LoopInfo &loops_;
  llvm::AssumptionCache &assumptions_;
  const remainder_analyses known_;

  // of the loop that is peeled
  llvm::SmallVector<counted_remainder, 8> remainders_;
  llvm::SmallVector<border_value, 8> values_;
};

bool peeling::is_innermost_of_item(const llvm::Loop &loop) const {
  if (!loop.isInnermost() || spmd::is_item_loop(loop)) return false;
  std::size_t instructions = 0;
  for (const llvm::BasicBlock *const block : loop.blocks()) instructions += block->size();
  if (instructions > most_instructions) return false;
  for (const llvm::Loop *around = loop.getParentLoop(); around; around = around->getParentLoop())
    if (!items_are_apart_ && spmd::is_item_loop(*around)) return false;
  return true;
}

void peeling::find_values(llvm::Loop &loop) {
  remainders_.clear();
  values_.clear();
  border_test test(loop, known_.evolution);
  for (llvm::BasicBlock *const block : loop.blocks())
    for (llvm::Instruction &each : *block) {
      std::optional<border_value> found;
      if (is_remainder(each)) {
        const auto counted = as_counted(llvm::cast<llvm::BinaryOperator>(each), known_);
        if (counted && counted->range.loop == &loop) remainders_.push_back(*counted);
      } else if (auto *const compared = llvm::dyn_cast<llvm::ICmpInst>(&each)) {
        found = as_border_value(*compared, test);
      } else if (auto *const clamped = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&each)) {
        found = as_border_value(*clamped, test);
      }
      if (found && decides_accesses(each, loop)) values_.push_back(*found);
    }
}

/// `number_range::first` of the remainders that wrap around at that side: of (j - 1) % n and (j + 1) % n.
std::int64_t first_number(side at) { return at == side::last ? 1 : -1; }

bool peeling::differs_at(side at) const {
  return llvm::any_of(remainders_, [&](const auto &each) { return each.range.first == first_number(at); }) ||
         llvm::any_of(values_, [&](const border_value &each) { return each.at == at; });
}

bool peeling::of(llvm::Loop &loop) {
  find_values(loop);
  if (!differs_at(side::first) && !differs_at(side::last)) return false;
  llvm::simplifyLoop(&loop, &dominators_, &loops_, &known_.evolution, &assumptions_, nullptr, /*PreserveLCSSA=*/false);
  hoist_invariants(loop, known_.evolution, dominators_);
  separate_exit_condition(loop);
  find_values(loop);  // again: the steps before may replace values
  // All loops around it, too: peeling simplifies these.
  llvm::formLCSSARecursively(*loop.getOutermostLoop(), dominators_, &loops_, &known_.evolution);
  for (const side at : {side::first, side::last}) {
    if (!differs_at(at) || !llvm::canPeel(&loop) ||
        (at == side::last && !llvm::canPeelLastIteration(loop, known_.evolution)))
      continue;
    llvm::ValueToValueMapTy copies;
    llvm::peelLoop(&loop, 1, /*PeelLast=*/at == side::last, &loops_, &known_.evolution, dominators_, &assumptions_,
                   /*PreserveLCSSA=*/true, copies);
    const auto copy_of = [&](llvm::Value *value) {
      return llvm::dyn_cast_or_null<llvm::Instruction>(copies.lookup(value));
    };
    for (counted_remainder &each : remainders_) {
      if (llvm::Instruction *const copy = copy_of(each.remainder); copy && is_remainder(*copy))
        fold({llvm::cast<llvm::BinaryOperator>(copy), each.count, each.range}, known_);
      if (each.range.first == first_number(at)) each.range.first = 0;  // in the iterations that are left, no wrap
    }
    for (const border_value &each : values_) {
      if (each.at != at) continue;
      if (llvm::Instruction *const copy = copy_of(each.value)) copy->replaceAllUsesWith(each.border);
      known_.evolution.forgetValue(each.value);
      each.value->replaceAllUsesWith(each.inner);
    }
  }
  llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
  for (const border_value &each : values_) replaced.emplace_back(each.value);
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  for (const counted_remainder &each : remainders_) fold(each, known_);
  drop_wraps(loop, known_.evolution);
  return true;
}

}  // namespace

llvm::PreservedAnalyses peel_border_iterations::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  if (manager.getResult<llvm::LoopAnalysis>(function).empty()) return llvm::PreservedAnalyses::all();
  const bool negated = negate_conditions(function);
  if (peeling(function, manager).of_all_loops()) return llvm::PreservedAnalyses::none();
  if (!negated) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace dpep::jit
