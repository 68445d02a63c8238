// Comparisons that hold at a place in a kernel, and the bounds of an integer that follow from each of them.
#include "pykernel/lower/index_signs.hpp"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::pykernel {
namespace {

/// A comparison that holds.
struct fact {
  llvm::CmpInst::Predicate predicate;
  llvm::Value *left, *right;
};

class facts_at {
public:
  explicit facts_at(const llvm::DominatorTree &dominators) : dominators_(dominators) {}

  /// Adds the conditions of branches that lead to the block.
  void add_branches(const llvm::BasicBlock &block) { add_branches(block, nullptr, 0); }
  llvm::ArrayRef<fact> all() const { return facts_; }

private:
  static constexpr unsigned max_depth = 8, max_facts = 32;

  /// Adds those of branches between `end`, a dominator, and the block.
  void add_branches(const llvm::BasicBlock &block, const llvm::DomTreeNode *end, unsigned depth) {
    for (const llvm::DomTreeNode *node = dominators_.getNode(&block); node && node != end; node = node->getIDom()) {
      const llvm::BasicBlock *here = node->getBlock();
      if (const llvm::BasicBlock *from = here->getSinglePredecessor()) add_edge(*from, *here, depth);
      if (facts_.size() >= max_facts) return;
    }
  }

  void add_edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to, unsigned depth) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(from.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return;
    add(branch->getCondition(), branch->getSuccessor(0) == &to, depth);
  }

  void add(llvm::Value *condition, bool holds, unsigned depth) {
    using namespace llvm::PatternMatch;
    if (depth == max_depth || facts_.size() >= max_facts) return;
    llvm::Value *first = nullptr, *second = nullptr;
    if (match(condition, m_Not(m_Value(first)))) {
      add(first, !holds, depth + 1);
    } else if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
                     : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
      add(first, holds, depth + 1);
      add(second, holds, depth + 1);
    } else if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition)) {
      facts_.push_back({holds ? comparison->getPredicate() : comparison->getInversePredicate(),
                        comparison->getOperand(0), comparison->getOperand(1)});
    } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(condition)) {
      add_phi(*phi, holds, depth + 1);
    }
  }

  /// If all values but one are the opposite constant, the work-item came from that one's block. Values in that block's
  /// conditions have not changed since, as the phi's block is between their definitions and its own uses, unless it
  /// is the header of a loop.
  void add_phi(const llvm::PHINode &phi, bool holds, unsigned depth) {
    const llvm::BasicBlock *came_from = nullptr;
    llvm::Value *value = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto *known = llvm::dyn_cast<llvm::ConstantInt>(phi.getIncomingValue(i));
      if (known && known->isOne() != holds) continue;
      if (came_from) return;
      came_from = phi.getIncomingBlock(i);
      value = phi.getIncomingValue(i);
    }
    if (!came_from || dominators_.dominates(phi.getParent(), came_from)) return;
    add(value, holds, depth);
    add_edge(*came_from, *phi.getParent(), depth);
    const llvm::DomTreeNode *node = dominators_.getNode(phi.getParent());
    add_branches(*came_from, node ? node->getIDom() : nullptr, depth);
  }

  const llvm::DominatorTree &dominators_;
  llvm::SmallVector<fact> facts_;
};

class sign_proof {
public:
  sign_proof(llvm::ScalarEvolution &evolution, const llvm::SCEV *integer) : evolution_(evolution), integer_(integer) {}

  bool follows_from(const fact &known) const {
    if (known.left->getType() != integer_->getType()) return false;
    const llvm::SCEV *left = evolution_.getSCEV(known.left), *right = evolution_.getSCEV(known.right);
    switch (known.predicate) {
    case llvm::CmpInst::ICMP_SLT:
      return is_after(left, right, 1);
    case llvm::CmpInst::ICMP_SLE:
      return is_after(left, right, 0);
    case llvm::CmpInst::ICMP_SGT:
      return is_after(right, left, 1);
    case llvm::CmpInst::ICMP_SGE:
      return is_after(right, left, 0);
    case llvm::CmpInst::ICMP_EQ:
      return is_after(left, right, 0) || is_after(right, left, 0);
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_ULE:
      return is_below(left, right);
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::ICMP_UGE:
      return is_below(right, left);
    default:
      return false;
    }
  }

private:
  /// Whether the sign follows from least + more <= value.
  bool is_after(const llvm::SCEV *least, const llvm::SCEV *value, std::uint64_t more) const {
    const llvm::ConstantRange range = evolution_.getSignedRange(least), values = evolution_.getSignedRange(value);
    bool overflows = false;
    const llvm::APInt low = range.getSignedMin().sadd_ov(llvm::APInt(range.getBitWidth(), more), overflows);
    if (!overflows && is_nonnegative_between(value, low, values.getSignedMax())) return true;
    // The difference of two numbers that are not negative does not overflow.
    if (range.getSignedMin().isNegative()) return false;
    const auto rest = evolution_.computeConstantDifference(integer_, evolution_.getMinusSCEV(value, least));
    return rest && !rest->isStrictlyPositive() && rest->getSExtValue() + static_cast<std::int64_t>(more) >= 0;
  }

  /// Whether the sign follows from value <= end as unsigned numbers.
  bool is_below(const llvm::SCEV *value, const llvm::SCEV *end) const {
    const llvm::ConstantRange ends = evolution_.getSignedRange(end);
    return !ends.getSignedMin().isNegative() &&
           is_nonnegative_between(value, llvm::APInt::getZero(ends.getBitWidth()), ends.getSignedMax());
  }

  /// Whether the integer is not negative if `value` is from `low` to `high`.
  bool is_nonnegative_between(const llvm::SCEV *value, const llvm::APInt &low, const llvm::APInt &high) const {
    const auto distance = evolution_.computeConstantDifference(integer_, value);
    if (!distance) return false;
    bool low_overflows = false, high_overflows = false;
    const llvm::APInt least = low.sadd_ov(*distance, low_overflows);
    static_cast<void>(high.sadd_ov(*distance, high_overflows));
    return !low_overflows && !high_overflows && !least.isNegative();
  }

  llvm::ScalarEvolution &evolution_;
  const llvm::SCEV *integer_;
};

}  // namespace

bool is_nonnegative_by_condition(llvm::ScalarEvolution &evolution, const llvm::DominatorTree &dominators,
                                 llvm::Value *integer, const llvm::Instruction &at) {
  facts_at facts(dominators);
  facts.add_branches(*at.getParent());
  const sign_proof proof(evolution, evolution.getSCEV(integer));
  return llvm::any_of(facts.all(), [&](const fact &each) { return proof.follows_from(each); });
}

}  // namespace dpep::pykernel
