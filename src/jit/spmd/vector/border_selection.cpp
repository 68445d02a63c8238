// The selection of the conditions that matter.
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/vector/border_conditions.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_deciding = 32;

/// Whether the form is of a value that is equal for all work-items.
bool is_uniform(const inner_form &form) { return form.known && form.stride == 0; }

}  // namespace

llvm::BitVector border_analysis::deciding(const llvm::BitVector &needs) const {
  llvm::BitVector found(static_cast<unsigned>(conditions_.size()));
  for (const unsigned each : needs.set_bits())
    if (conditions_[each].decides) found.set(each);
  return found;
}

/// Whether the value is computed from the index and constants, and the index starts at a constant: whether a local id
/// is at a border is the same in all work-groups.
bool border_analysis::depends_on_index_only(llvm::Value *value, unsigned depth) const {
  constexpr unsigned max_depth = 6;
  if (value == items_.index) return llvm::isa<llvm::Constant>(items_.begin);
  if (llvm::isa<llvm::Constant>(value)) return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && items_.loop->contains(instruction) && depth < max_depth &&
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Use &operand) {
               return llvm::isa<llvm::Function>(operand) || depends_on_index_only(operand, depth + 1);
             });
}

/// Whether no condition is a comparison that some work-items of each group do not meet.
bool border_analysis::may_be_met(const llvm::BitVector &needs) const {
  return llvm::none_of(needs.set_bits(), [&](unsigned each) {
    const border_condition &condition = conditions_[each];
    return condition.decides && condition.right && depends_on_index_only(condition.left) &&
           depends_on_index_only(condition.right);
  });
}

void border_analysis::select_for_accesses() {
  for (llvm::BasicBlock *block : items_.loop->blocks())
    for (llvm::Instruction &instruction : *block)
      if (llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
        if (const inner_form form = of(pointer); form.known && may_be_met(form.needs))
          selected_ |= deciding(form.needs);
}

/// The value of a branch's condition without which work-items have no effects. Empty: there is none.
std::optional<bool> border_analysis::side_of_all_effects(const llvm::BranchInst &branch) const {
  for (const bool side : {true, false}) {
    const llvm::BasicBlockEdge edge(branch.getParent(), branch.getSuccessor(side ? 0 : 1));
    const auto is_beyond = [&](const llvm::BasicBlock *block) {
      return dominators_.dominates(edge, block) || llvm::none_of(*block, [](const llvm::Instruction &each) {
               const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
               return each.mayHaveSideEffects() && !(intrinsic && intrinsic->isAssumeLikeIntrinsic());
             });
    };
    if (llvm::all_of(items_.loop->blocks(), is_beyond)) return side;
  }
  return std::nullopt;
}

/// Whether the branch decides if work-items access memory.
bool border_analysis::guards_accesses(const llvm::BranchInst &branch) const {
  return llvm::any_of(items_.loop->blocks(), [&](const llvm::BasicBlock *block) {
    return llvm::any_of(
               *block,
               [](const llvm::Instruction &each) { return llvm::isa<llvm::LoadInst, llvm::StoreInst>(each); }) &&
           llvm::any_of(branch.successors(), [&](const llvm::BasicBlock *side) {
             return dominators_.dominates(llvm::BasicBlockEdge(branch.getParent(), side), block);
           });
  });
}

/// Selects conditions of branches. A bound of the ids with effects is left to trim_bounds(), except in loops over a
/// known number of work-items, which keep it.
void border_analysis::select_for_branches() {
  llvm::BitVector others(static_cast<unsigned>(conditions_.size()));
  for (llvm::BasicBlock *block : items_.loop->blocks()) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || items_.loop->isLoopInvariant(branch->getCondition())) continue;
    if (block == items_.latch) continue;
    const inner_form form = of(branch->getCondition());
    const llvm::BitVector needs = deciding(form.needs);
    if (!is_uniform(form) || needs.none()) continue;
    if (llvm::any_of(needs.set_bits(), [&](unsigned each) { return depends_on_index_only(conditions_[each].left); }))
      continue;
    const bool is_bound = side_of_all_effects(*branch).has_value();
    if (is_bound && !items_.count) continue;
    (!is_bound && guards_accesses(*branch) ? selected_ : others) |= needs;
  }
  if (selected_.any()) selected_ |= others;
}

/// Adds the conditions under which the selected ones are right.
void border_analysis::select_needed() {
  for (llvm::BitVector before; before != selected_;) {
    before = selected_;
    for (const unsigned each : before.set_bits()) selected_ |= conditions_[each].needs;
    selected_.resize(static_cast<unsigned>(conditions_.size()));
    before.resize(selected_.size());
  }
}

bool border_analysis::run() {
  select_for_accesses();
  if (deciding(selected_).count() > max_deciding) return false;
  const llvm::BitVector for_accesses = selected_;
  select_for_branches();
  if (deciding(selected_).count() > max_deciding) selected_ = for_accesses;
  select_needed();
  return selected_.any();
}

}  // namespace dpep::jit::spmd
