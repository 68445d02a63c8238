// Detection of the guarding comparison, and replacement of the loop's bounds.
#include "jit/spmd/vector/trim_bounds.hpp"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "jit/spmd/item_array.hpp"
#include "jit/spmd/vector/redundant_stores.hpp"

namespace dpep::jit::spmd {
namespace {

/// A comparison that is `passes_if` exactly for the ids on one side of the bound.
struct guard {
  llvm::ICmpInst *compare;
  bool passes_if;
  const llvm::SCEVAddRecExpr *id;
  llvm::Value *bound;
  llvm::ICmpInst::Predicate predicate;  // `id predicate bound` holds for the work-items that pass
};

class bounds_trimming {
public:
  bounds_trimming(const item_loop &items, const llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution)
      : items_(items), dominators_(dominators), evolution_(evolution) {}

  bool run() {
    // Values that are live after the loop are the last work-item's, which may be excluded.
    for (llvm::PHINode &phi : items_.exit->phis())
      if (!items_.loop->isLoopInvariant(phi.getIncomingValueForBlock(items_.latch))) return false;
    for (llvm::BasicBlock *block : items_.loop->blocks())
      for (llvm::Instruction &instruction : *block) {
        auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) continue;
        if (instruction.mayHaveSideEffects()) effects_.push_back(&instruction);
      }
    if (effects_.empty() || are_lanes()) return false;
    for (llvm::BasicBlock *block : items_.loop->blocks())
      for (llvm::Instruction &instruction : *block)
        if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
          for (const bool passes_if : {true, false})
            if (const std::optional<guard> found = as_guard(*compare, passes_if); found && guards_all_effects(*found)) {
              apply(*found);
              return true;
            }
    return false;
  }

private:
  /// Whether the loop is over the lanes of a sub-group and keeps values on the stack. As whole vectors under a mask,
  /// these values become registers; parts of them would be stored and loaded again.
  bool are_lanes() const {
    return llvm::any_of(effects_, [](const llvm::Instruction *effect) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(effect);
      const auto *array = pointer ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)) : nullptr;
      return array && array->hasMetadata(lanes_metadata);
    });
  }

  std::optional<guard> as_guard(llvm::ICmpInst &compare, bool passes_if) {
    llvm::ICmpInst::Predicate predicate = passes_if ? compare.getPredicate() : compare.getInversePredicate();
    llvm::Value *id = compare.getOperand(0), *bound = compare.getOperand(1);
    if (items_.loop->isLoopInvariant(id)) {
      std::swap(id, bound);
      predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
    }
    if (!llvm::ICmpInst::isRelational(predicate) || !id->getType()->isIntegerTy()) return {};
    if (id->getType()->getIntegerBitWidth() > 64 || !items_.loop->isLoopInvariant(bound)) return {};
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(id));
    if (!counted || counted->getLoop() != items_.loop || !counted->getStepRecurrence(evolution_)->isOne()) return {};
    if (!llvm::SCEVExpander(evolution_, "trim").isSafeToExpand(counted->getStart())) return {};
    if (!never_wraps(*counted, *id, llvm::ICmpInst::isSigned(predicate))) return {};
    return guard{&compare, passes_if, counted, bound, predicate};
  }

  bool never_wraps(const llvm::SCEVAddRecExpr &counted, const llvm::Value &value, bool is_signed) {
    if (is_signed ? counted.hasNoSignedWrap() : counted.hasNoUnsignedWrap()) return true;
    if (const auto *sum = llvm::dyn_cast<llvm::AddOperator>(&value);
        sum && (is_signed ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap()))
      for (const unsigned side : {0U, 1U})
        if (items_.loop->isLoopInvariant(sum->getOperand(1 - side)))
          if (const auto *inner = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(sum->getOperand(side))))
            return never_wraps(*inner, *sum->getOperand(side), is_signed);
    const auto *max_count =
        llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getConstantMaxBackedgeTakenCount(items_.loop));
    if (!max_count || max_count->getAPInt().getActiveBits() > 64) return false;
    const llvm::SCEV *start = counted.getStart();
    const unsigned bits = counted.getType()->getIntegerBitWidth();
    const llvm::APInt first =
        is_signed ? evolution_.getSignedRangeMax(start).sext(128) : evolution_.getUnsignedRangeMax(start).zext(128);
    const llvm::APInt end = llvm::APInt::getOneBitSet(128, is_signed ? bits - 1 : bits);
    return (first + max_count->getAPInt().zextOrTrunc(128)).slt(end);
  }

  /// A condition, and its value for all work-items that pass the guard; perhaps also for others.
  using implication = std::pair<llvm::Value *, bool>;

  bool guards_all_effects(const guard &candidate) {
    using namespace llvm::PatternMatch;
    llvm::SmallVector<implication> implied{{candidate.compare, candidate.passes_if}};
    llvm::SmallVector<llvm::BasicBlockEdge> edges;
    for (std::size_t i = 0; i < implied.size(); ++i) {
      const auto [condition, value] = implied[i];
      for (llvm::User *user : condition->users()) {
        if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(user)) {
          if (branch->getSuccessor(0) != branch->getSuccessor(1))
            edges.emplace_back(branch->getParent(), branch->getSuccessor(value ? 0 : 1));
        } else if (value ? match(user, m_c_LogicalAnd(m_Specific(condition), m_Value()))
                         : match(user, m_c_LogicalOr(m_Specific(condition), m_Value()))) {
          implied.emplace_back(user, value);
        } else if (match(user, m_Not(m_Specific(condition)))) {
          implied.emplace_back(user, !value);
        }
      }
    }
    return llvm::all_of(effects_, [&](const llvm::Instruction *effect) {
      return llvm::any_of(
                 edges,
                 [&](const llvm::BasicBlockEdge &edge) { return dominators_.dominates(edge, effect->getParent()); }) ||
             is_guarded_store(*effect, implied);
    });
  }

  /// Whether the effect is a store that writes back the value in memory unless an implied condition holds.
  bool is_guarded_store(const llvm::Instruction &effect, llvm::ArrayRef<implication> implied) const {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&effect);
    const auto *choice = store ? llvm::dyn_cast<llvm::SelectInst>(store->getValueOperand()) : nullptr;
    if (!choice || !store->isSimple()) return false;
    for (const auto &[condition, value] : implied) {
      if (choice->getCondition() != condition) continue;
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(value ? choice->getFalseValue() : choice->getTrueValue());
      if (load && load->isSimple() && load->getPointerOperand() == store->getPointerOperand() &&
          load->getParent() == store->getParent() &&
          std::none_of(load->getIterator(), store->getIterator(),
                       [](const llvm::Instruction &between) { return between.mayWriteToMemory(); }))
        return true;
    }
    return false;
  }

  void apply(const guard &found) {
    llvm::IRBuilder<> build(items_.preheader->getTerminator());
    llvm::SCEVExpander expander(evolution_, "trim");
    llvm::Value *start =
        build.CreateFreeze(expander.expandCodeFor(found.id->getStart(), found.id->getType(), &*build.GetInsertPoint()));
    llvm::Value *bound = build.CreateFreeze(found.bound);
    llvm::Type *type = items_.index->getType();
    llvm::Type *wide = type->getIntegerBitWidth() > start->getType()->getIntegerBitWidth() ? type : start->getType();
    llvm::Value *zero = llvm::ConstantInt::get(wide, 0), *one = llvm::ConstantInt::get(wide, 1);
    llvm::Value *count = build.CreateZExt(build.CreateSub(items_.end, items_.begin), wide);
    // The number of ids below the bound, or not above it.
    using compare = llvm::ICmpInst;
    const bool is_signed = compare::isSigned(found.predicate);
    const bool strict = compare::isLT(found.predicate) || compare::isGE(found.predicate);
    llvm::Value *none = build.CreateICmp(is_signed ? compare::ICMP_SLT : compare::ICMP_ULT, bound, start);
    llvm::Value *gap = build.CreateZExt(build.CreateSub(bound, start), wide);
    llvm::Value *ids_below = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, gap, count);
    if (!strict) ids_below = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, build.CreateAdd(ids_below, one), count);
    ids_below = build.CreateTrunc(build.CreateSelect(none, zero, ids_below), type);
    const bool keeps_first = compare::isLT(found.predicate) || compare::isLE(found.predicate);
    llvm::Value *nonempty;
    if (keeps_first) {
      nonempty = build.CreateICmpNE(ids_below, llvm::ConstantInt::get(type, 0));
      set_end(build.CreateAdd(items_.begin, ids_below, "trimmed.end"));
    } else {
      nonempty = build.CreateICmpNE(ids_below, build.CreateTrunc(count, type));
      advance_start(build, ids_below);
    }
    enter_only_if(nonempty);
    fold_guard(found);
  }

  void set_end(llvm::Value *end) {
    auto *branch = llvm::cast<llvm::BranchInst>(items_.latch->getTerminator());
    auto *compare = llvm::cast<llvm::ICmpInst>(branch->getCondition());
    llvm::IRBuilder<> build(branch);
    llvm::Value *next = items_.index->getIncomingValueForBlock(items_.latch);
    branch->setCondition(build.CreateICmp(compare->getPredicate(), next, end));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(compare);
  }

  void advance_start(llvm::IRBuilder<> &build, llvm::Value *by) {
    for (const item_loop::induction &induction : items_.inductions) {
      llvm::Value *first = induction.phi->getIncomingValueForBlock(items_.preheader);
      const bool address = first->getType()->isPointerTy();
      llvm::Type *type = address ? build.getInt64Ty() : first->getType();
      llvm::Value *offset = build.CreateMul(build.CreateZExtOrTrunc(by, type),
                                            llvm::ConstantInt::getSigned(type, induction.step, /*ImplicitTrunc=*/true));
      induction.phi->setIncomingValueForBlock(items_.preheader, address ? build.CreatePtrAdd(first, offset)
                                                                        : build.CreateAdd(first, offset));
    }
  }

  void enter_only_if(llvm::Value *condition) {
    llvm::Instruction *old = items_.preheader->getTerminator();
    auto *enter =
        llvm::BasicBlock::Create(items_.preheader->getContext(), "trimmed", items_.header->getParent(), items_.header);
    llvm::BranchInst::Create(items_.header, enter);
    items_.header->replacePhiUsesWith(items_.preheader, enter);
    llvm::BranchInst::Create(enter, items_.exit, condition, old->getIterator());
    old->eraseFromParent();
    for (llvm::PHINode &phi : items_.exit->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(items_.latch), items_.preheader);
  }

  void fold_guard(const guard &found) {
    llvm::SmallVector<llvm::WeakVH> blocks(items_.loop->blocks());
    llvm::replaceAndRecursivelySimplify(found.compare,
                                        llvm::ConstantInt::getBool(found.compare->getType(), found.passes_if));
    for (const llvm::WeakVH &block : blocks) llvm::ConstantFoldTerminator(llvm::cast<llvm::BasicBlock>(block), true);
    llvm::removeUnreachableBlocks(*items_.header->getParent());
    for (const llvm::WeakVH &block : blocks)
      if (block) llvm::MergeBlockIntoPredecessor(llvm::cast<llvm::BasicBlock>(block));
  }

  const item_loop &items_;
  const llvm::DominatorTree &dominators_;
  llvm::ScalarEvolution &evolution_;
  llvm::SmallVector<llvm::Instruction *> effects_;
};

}  // namespace

bool trim_bounds(const item_loop &items, llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution,
                 llvm::AAResults &aliases) {
  eliminate_redundant_stores(items, dominators, aliases);
  return bounds_trimming(items, dominators, evolution).run();
}

}  // namespace dpep::jit::spmd
