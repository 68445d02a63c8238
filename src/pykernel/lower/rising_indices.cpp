// Indices that only rise in a loop.
#include "pykernel/lower/rising_indices.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace dpep::pykernel {
namespace {

using namespace llvm::PatternMatch;

class rising_index {
public:
  rising_index(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators,
               llvm::CallInst &call)
      : evolution_(evolution), loops_(loops), dominators_(dominators), call_(call) {}

  /// Tries the outermost loop first, so that the condition is computed once.
  std::optional<rising_start> find() {
    const variable index = as_shifted(call_.getArgOperand(0));
    llvm::SmallVector<const llvm::Loop *> around;
    for (loop_ = loops_.getLoopFor(call_.getParent()); loop_; loop_ = loop_->getParentLoop()) around.push_back(loop_);
    for (const llvm::Loop *loop : llvm::reverse(around)) {
      if (!loop->getLoopPreheader() || loop->isLoopInvariant(index.value)) continue;
      loop_ = loop;
      found_ = {.before = loop->getLoopPreheader()->getTerminator(), .starts = {}, .lengths = {}};
      seen_.clear();
      sums_.clear();
      if (!rises(index.value) || found_.starts.empty()) continue;
      if (llvm::all_of(sums_, [&](llvm::BinaryOperator *sum) { return is_bounded(*sum); })) return found_;
    }
    return std::nullopt;
  }

private:
  static constexpr unsigned max_values = 24, max_starts = 2;
  static constexpr std::uint64_t max_step = std::uint64_t{1} << 16;

  /// `value` shifted right, plus a nonnegative constant.
  struct variable {
    llvm::Value *value;
    unsigned shift = 0;
  };
  variable as_shifted(llvm::Value *index) {
    llvm::Value *inner = nullptr;
    const llvm::APInt *number = nullptr;
    if (match(index, m_Add(m_Value(inner), m_APInt(number))) && number->isNonNegative()) {
      bool overflows = false;
      static_cast<void>(evolution_.getSignedRangeMax(evolution_.getSCEV(inner)).sadd_ov(*number, overflows));
      if (!overflows || llvm::cast<llvm::BinaryOperator>(index)->hasNoSignedWrap()) index = inner;
    }
    if (match(index, m_AShr(m_Value(inner), m_APInt(number))) && number->ult(16))
      return {inner, static_cast<unsigned>(number->getZExtValue())};
    return {index};
  }

  /// Whether the value is one that is known before the loop, plus nonnegative numbers. Collects these.
  bool rises(llvm::Value *value) {
    if (loop_->isLoopInvariant(value)) {
      if (evolution_.isKnownNonNegative(evolution_.getSCEV(value))) return true;
      if (!llvm::is_contained(found_.starts, value)) found_.starts.push_back(value);
      return found_.starts.size() <= max_starts;
    }
    if (!seen_.insert(value)) return true;
    if (seen_.size() > max_values) return false;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
      return llvm::all_of(phi->incoming_values(), [&](llvm::Use &each) { return rises(each); });
    llvm::Value *first = nullptr, *second = nullptr;
    if (match(value, m_Select(m_Value(), m_Value(first), m_Value(second)))) return rises(first) && rises(second);
    if (!match(value, m_Add(m_Value(first), m_Value(second)))) return false;
    if (!is_step(second)) std::swap(first, second);
    if (!is_step(second)) return false;
    sums_.push_back(llvm::cast<llvm::BinaryOperator>(value));
    return rises(first);
  }

  std::uint64_t largest(llvm::Value *value) {
    return evolution_.getUnsignedRangeMax(evolution_.getSCEV(value)).getLimitedValue();
  }
  bool is_step(llvm::Value *value) { return largest(value) < max_step; }

  /// Whether the sum does not wrap around under a condition, which is added to those that are required. A sum of 64
  /// bits does not within 2^47 additions.
  bool is_bounded(llvm::BinaryOperator &sum) {
    if (sum.hasNoSignedWrap() || sum.getType()->isIntegerTy(64)) return true;
    if (!sum.getType()->isIntegerTy(32)) return false;
    llvm::Value *base = sum.getOperand(0), *step = sum.getOperand(1);
    if (!is_step(step)) std::swap(base, step);
    for (llvm::CallInst *access : accesses()) {
      const variable index = as_shifted(access->getArgOperand(0));
      llvm::Value *length = access->getArgOperand(1);
      if (index.value != base || !dominators_.dominates(access, &sum)) continue;
      if (!is_known_before(length)) continue;
      const std::uint64_t most = ((std::uint64_t{1} << 31) - largest(step)) >> index.shift;
      limit_length(length, most);
      return true;
    }
    return false;
  }

  bool is_known_before(llvm::Value *length) {
    const llvm::SCEV *number = evolution_.getSCEV(length);
    return evolution_.isLoopInvariant(number, loop_) &&
           llvm::SCEVExpander(evolution_, "index").isSafeToExpandAt(number, loop_->getLoopPreheader()->getTerminator());
  }

  /// The calls of the placeholder in the function.
  llvm::ArrayRef<llvm::CallInst *> accesses() {
    if (accesses_.empty())
      for (llvm::User *user : call_.getCalledFunction()->users()) accesses_.push_back(llvm::cast<llvm::CallInst>(user));
    return accesses_;
  }

  void limit_length(llvm::Value *length, std::uint64_t most) {
    if (evolution_.getUnsignedRangeMax(evolution_.getSCEV(length)).ule(most)) return;
    for (auto &[known, limit] : found_.lengths)
      if (known == length) {
        limit = std::min(limit, most);
        return;
      }
    found_.lengths.emplace_back(length, most);
  }

  llvm::ScalarEvolution &evolution_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &dominators_;
  llvm::CallInst &call_;
  const llvm::Loop *loop_ = nullptr;
  rising_start found_;
  llvm::SmallSetVector<llvm::Value *, 16> seen_;
  llvm::SmallVector<llvm::BinaryOperator *> sums_;
  llvm::SmallVector<llvm::CallInst *> accesses_;
};

}  // namespace

std::optional<rising_start> find_rising_start(llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops,
                                              const llvm::DominatorTree &dominators, llvm::CallInst &call) {
  return rising_index(evolution, loops, dominators, call).find();
}

llvm::Value *emit_condition(llvm::ScalarEvolution &evolution, const rising_start &from) {
  llvm::IRBuilder<> build(from.before);
  llvm::Value *hold = nullptr;
  const auto require = [&](llvm::Value *each) { hold = hold ? build.CreateAnd(hold, each) : each; };
  for (llvm::Value *start : from.starts) require(build.CreateIsNotNeg(start));
  llvm::SCEVExpander expander(evolution, "length");
  for (const auto &[length, most] : from.lengths) {
    llvm::Value *known = expander.expandCodeFor(evolution.getSCEV(length), nullptr, from.before);
    require(build.CreateICmpULE(known, llvm::ConstantInt::get(known->getType(), most)));
  }
  return hold;
}

}  // namespace dpep::pykernel
