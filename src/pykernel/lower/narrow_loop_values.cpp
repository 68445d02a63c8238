// Intervals of the variables of a loop, and their replacement by those of 32 bits.
#include "pykernel/lower/narrow_loop_values.hpp"

#include <limits>
#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/preserved.hpp"

namespace dpep::pykernel {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min(),
                       most = std::numeric_limits<std::int32_t>::max();

/// A signed interval, both ends included.
struct interval {
  std::int64_t low, high;
  interval united(const interval &other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
  bool has_32_bits() const { return low >= least && high <= most; }
  friend bool operator==(const interval &, const interval &) = default;
};

class loop_values {
public:
  loop_values(llvm::Loop &loop, llvm::ScalarEvolution &evolution, const llvm::DominatorTree &dominators)
      : loop_(loop), evolution_(evolution), dominators_(dominators), build_(loop.getHeader()->getContext()) {}

  /// Finds the variables that stay within 32 bits, among them the bounds of a search: two whose mean is computed.
  bool find() {
    llvm::BasicBlock *before = loop_.getLoopPredecessor();
    if (!before) return false;
    for (llvm::PHINode &phi : loop_.getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy(64)) continue;
      const llvm::ConstantRange range =
          evolution_.getSignedRange(evolution_.getSCEV(phi.getIncomingValueForBlock(before)));
      const interval start{range.getSignedMin().getSExtValue(), range.getSignedMax().getSExtValue()};
      if (start.has_32_bits()) variables_.insert({&phi, start});
    }
    if (variables_.size() < 2) return false;
    for (unsigned round = 0; round < max_rounds; ++round)
      if (!update(round >= max_rounds / 2)) return has_mean_;
    return false;
  }

  void replace() {
    for (const auto &[phi, range] : variables_) {
      build_.SetInsertPoint(phi);
      narrow_[phi] = build_.CreatePHI(build_.getInt32Ty(), 2, phi->getName());
    }
    for (const auto &[phi, range] : variables_) {
      auto *made = llvm::cast<llvm::PHINode>(narrow_[phi]);
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        llvm::BasicBlock *from = phi->getIncomingBlock(i);
        build_.SetInsertPoint(from->getTerminator());
        made->addIncoming(loop_.contains(from) ? narrowed(phi->getIncomingValue(i))
                                               : build_.CreateTrunc(phi->getIncomingValue(i), build_.getInt32Ty()),
                          from);
      }
    }
    for (auto &[value, made] : narrow_) replace_uses(*value, *made);
  }

private:
  static constexpr unsigned max_rounds = 8, max_depth = 8;

  /// Computes the intervals after a round of the loop. Returns whether any has grown. Variables whose intervals exceed
  /// 32 bits are left out, and counters, which grow on, in `late` rounds.
  bool update(bool late) {
    has_mean_ = false;
    bool grown = false;
    llvm::SmallVector<llvm::PHINode *> wide;
    for (auto &[phi, range] : variables_) {
      std::optional<interval> all = range;
      for (unsigned i = 0; i < phi->getNumIncomingValues() && all; ++i) {
        if (!loop_.contains(phi->getIncomingBlock(i))) continue;
        const auto next = interval_of(phi->getIncomingValue(i), 0);
        all = next ? std::optional(all->united(*next)) : std::nullopt;
      }
      if (!all || !all->has_32_bits()) {
        wide.push_back(phi);
        continue;
      }
      if (*all == range) continue;
      grown = true;
      range = {all->low, all->high > range.high ? most : range.high};  // halves approach an end too slowly
      if (late) wide.push_back(phi);
    }
    for (llvm::PHINode *phi : wide) variables_.erase(phi);
    return grown || !wide.empty();
  }

  /// The interval of a value in the loop; empty: unknown.
  std::optional<interval> interval_of(llvm::Value *value, unsigned depth) {
    using namespace llvm::PatternMatch;
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value); constant && constant->getBitWidth() == 64)
      return interval{constant->getSExtValue(), constant->getSExtValue()};
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop_.contains(instruction) || depth == max_depth) return std::nullopt;
    llvm::Value *first = nullptr, *second = nullptr;
    const llvm::APInt *added = nullptr;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      if (const auto found = variables_.find(phi); found != variables_.end()) return found->second;
      return joined(*phi, depth);
    }
    if (match(instruction, m_Select(m_Value(), m_Value(first), m_Value(second)))) {
      const auto one = interval_of(first, depth + 1), other = interval_of(second, depth + 1);
      return one && other ? std::optional(one->united(*other)) : std::nullopt;
    }
    if (is_mean(*instruction, first, second)) return mean_of(*instruction, first, second);
    if (match(instruction, m_Add(m_Value(first), m_APInt(added))) && added->isSignedIntN(32)) {
      const auto from = interval_of(first, depth + 1);
      if (!from) return std::nullopt;
      const interval sum{from->low + added->getSExtValue(), from->high + added->getSExtValue()};
      return sum.has_32_bits() ? std::optional(sum) : std::nullopt;
    }
    return std::nullopt;
  }

  /// The phi of paths that meet in the loop.
  std::optional<interval> joined(const llvm::PHINode &phi, unsigned depth) {
    if (phi.getParent() == loop_.getHeader()) return std::nullopt;
    std::optional<interval> all;
    for (const llvm::Use &use : phi.incoming_values()) {
      if (dominators_.dominates(phi.getParent(), phi.getIncomingBlock(use))) return std::nullopt;  // of an inner loop
      const auto each = interval_of(use.get(), depth + 1);
      if (!each) return std::nullopt;
      all = all ? all->united(*each) : *each;
    }
    return all;
  }

  /// Whether the instruction is (first + second) // 2, or first + (second - first) // 2, of two variables of the loop.
  bool is_mean(const llvm::Instruction &instruction, llvm::Value *&first, llvm::Value *&second) const {
    using namespace llvm::PatternMatch;
    const auto sum = m_Add(m_Value(first), m_Value(second));
    if (!match(&instruction, m_LShr(sum, m_One())) && !match(&instruction, m_AShr(sum, m_One())) &&
        !match(&instruction, m_SDiv(sum, m_SpecificInt(2))) &&
        !match(&instruction, m_c_Add(m_Value(first), m_AShr(m_Sub(m_Value(second), m_Deferred(first)), m_One()))))
      return false;
    const auto is_variable = [&](llvm::Value *value) {
      auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
      return phi && variables_.contains(phi);
    };
    return is_variable(first) && is_variable(second);
  }

  std::optional<interval> mean_of(const llvm::Instruction &mean, llvm::Value *first, llvm::Value *second) {
    const interval one = variables_.find(llvm::cast<llvm::PHINode>(first))->second,
                   other = variables_.find(llvm::cast<llvm::PHINode>(second))->second;
    interval range{(one.low + other.low) >> 1, (one.high + other.high) >> 1};
    for (const bool swapped : {false, true}) {
      const interval &lower = swapped ? other : one, &upper = swapped ? one : other;
      const auto margin = distance_at_least(swapped ? second : first, swapped ? first : second, *mean.getParent());
      if (!margin) continue;
      range.low = std::max(range.low, lower.low);
      range.high = std::min(range.high, upper.high - *margin);
      // The sum is computed without sign.
      if (lower.low < 0) return std::nullopt;
      has_mean_ = true;
      return range;
    }
    return std::nullopt;
  }

  /// 1 if a branch to the block shows that lower < upper, 0 if it shows lower <= upper; empty: neither.
  std::optional<std::int64_t> distance_at_least(const llvm::Value *lower, const llvm::Value *upper,
                                                const llvm::BasicBlock &block) const {
    using namespace llvm::PatternMatch;
    for (const llvm::DomTreeNode *node = dominators_.getNode(&block); node && loop_.contains(node->getBlock());
         node = node->getIDom()) {
      const llvm::BasicBlock *from = node->getBlock()->getSinglePredecessor();
      const auto *branch = from ? llvm::dyn_cast<llvm::BranchInst>(from->getTerminator()) : nullptr;
      if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
      const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
      if (!comparison || !loop_.contains(from)) continue;
      llvm::CmpInst::Predicate predicate = comparison->getPredicate();
      if (branch->getSuccessor(0) != node->getBlock()) predicate = llvm::CmpInst::getInversePredicate(predicate);
      if (match(comparison->getOperand(0), m_Sub(m_Specific(upper), m_Specific(lower))) &&
          predicate == llvm::CmpInst::ICMP_SGT && match(comparison->getOperand(1), m_NonNegative()))
        return 1;
      if (comparison->getOperand(0) == upper && comparison->getOperand(1) == lower)
        predicate = llvm::CmpInst::getSwappedPredicate(predicate);
      else if (comparison->getOperand(0) != lower || comparison->getOperand(1) != upper)
        continue;
      if (predicate == llvm::CmpInst::ICMP_SLT) return 1;
      if (predicate == llvm::CmpInst::ICMP_SLE) return 0;
    }
    return std::nullopt;
  }

  /// The 32-bit counterpart of a value whose interval is known.
  llvm::Value *narrowed(llvm::Value *value) {
    using namespace llvm::PatternMatch;
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return build_.getInt32(static_cast<std::uint32_t>(constant->getSExtValue()));
    auto *instruction = llvm::cast<llvm::Instruction>(value);
    if (const auto found = narrow_.find(instruction); found != narrow_.end()) return found->second;
    const llvm::IRBuilderBase::InsertPointGuard guard(build_);
    build_.SetInsertPoint(instruction);
    llvm::Value *first = nullptr, *second = nullptr, *condition = nullptr, *made = nullptr;
    const llvm::APInt *added = nullptr;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      auto *join = build_.CreatePHI(build_.getInt32Ty(), phi->getNumIncomingValues());
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        build_.SetInsertPoint(phi->getIncomingBlock(i)->getTerminator());
        join->addIncoming(narrowed(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
      }
      made = join;
    } else if (match(instruction, m_Select(m_Value(condition), m_Value(first), m_Value(second)))) {
      made = build_.CreateSelect(condition, narrowed(first), narrowed(second));
    } else if (is_mean(*instruction, first, second)) {
      made = build_.CreateLShr(build_.CreateNUWAdd(narrowed(first), narrowed(second)), 1);
    } else if (match(instruction, m_Add(m_Value(first), m_APInt(added)))) {
      made = build_.CreateNSWAdd(narrowed(first), build_.getInt32(static_cast<std::uint32_t>(added->getSExtValue())));
    }
    return narrow_[instruction] = made;
  }

  void replace_uses(llvm::Instruction &value, llvm::Value &made) {
    auto *instruction = llvm::cast<llvm::Instruction>(&made);
    build_.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    llvm::Value *wide = build_.CreateSExt(&made, build_.getInt64Ty());
    value.replaceUsesWithIf(wide, [&](const llvm::Use &use) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return !user || !narrow_.contains(user);
    });
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  const llvm::DominatorTree &dominators_;
  llvm::IRBuilder<> build_;
  llvm::MapVector<llvm::PHINode *, interval> variables_;
  llvm::MapVector<llvm::Instruction *, llvm::Value *> narrow_;
  bool has_mean_ = false;
};

}  // namespace

llvm::PreservedAnalyses narrow_loop_values::run(llvm::Function &f, llvm::FunctionAnalysisManager &analyses) {
  const auto &loops = analyses.getResult<llvm::LoopAnalysis>(f);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  const auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  bool changed = false;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    loop_values values(*loop, evolution, dominators);
    if (!values.find()) continue;
    values.replace();
    evolution.forgetAllLoops();
    changed = true;
  }
  return jit::preserved(changed);
}

}  // namespace dpep::pykernel
