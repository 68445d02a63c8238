// One exchange is moved out of one branch at a time, from the innermost branch outwards.
#include "jit/spmd/flatten_exchanges.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "jit/spmd/divergent_exchanges.hpp"
#include "jit/spmd/postdominators.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/uniformity.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {
namespace {

/// Replaces a switch by a branch for each block that it leads to.
void lower_switch(llvm::SwitchInst &old) {
  llvm::BasicBlock *const origin = old.getParent(), *const otherwise = old.getDefaultDest();
  llvm::Function *const function = origin->getParent();
  llvm::MapVector<llvm::BasicBlock *, llvm::Value *> conditions;
  llvm::IRBuilder<> build(&old);
  for (const auto &each : old.cases()) {
    if (each.getCaseSuccessor() == otherwise) continue;
    llvm::Value *&condition = conditions[each.getCaseSuccessor()];
    llvm::Value *const equal = build.CreateICmpEQ(old.getCondition(), each.getCaseValue());
    condition = condition ? build.CreateOr(condition, equal) : equal;
  }
  // One edge of each kind remains; phis have an entry for each.
  const auto redirect = [&](llvm::BasicBlock *target, llvm::BasicBlock *from) {
    for (llvm::PHINode &phi : target->phis()) {
      llvm::Value *const value = phi.getIncomingValueForBlock(origin);
      phi.removeIncomingValueIf([&](unsigned i) { return phi.getIncomingBlock(i) == origin; },
                                /*DeletePHIIfEmpty=*/false);
      phi.addIncoming(value, from);
    }
  };
  llvm::BasicBlock *from = origin;
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>> edges;
  for (auto at = conditions.begin(); at != conditions.end(); ++at) {
    const bool last = std::next(at) == conditions.end();
    llvm::BasicBlock *const next =
        last ? otherwise : llvm::BasicBlock::Create(function->getContext(), "case", function, otherwise);
    build.CreateCondBr(at->second, at->first, next);
    edges.emplace_back(at->first, from);
    if (last) edges.emplace_back(otherwise, from);
    from = next;
    if (!last) build.SetInsertPoint(next);
  }
  if (conditions.empty()) {
    build.CreateBr(otherwise);
    edges.emplace_back(otherwise, origin);
  }
  old.eraseFromParent();
  for (const auto &[target, source] : edges) redirect(target, source);
}

/// An exchange, and a branch of which one side leads to it.
struct guarded_exchange {
  llvm::Instruction *call = nullptr;
  llvm::BranchInst *branch = nullptr;
  unsigned side = 0;  // the successor from which the exchange is reached
};

/// The innermost branch out of which the exchange can be moved: all that take one side come to it, in the same
/// iteration of all loops. Nothing if there is none, or if no branch before the exchange divides a sub-group.
guarded_exchange innermost_guard(llvm::Instruction &call, const work_item_function &item, const uniformity &uniform,
                                 const llvm::DominatorTree &dominators, const postdominators &ends,
                                 const llvm::LoopInfo &loops) {
  llvm::BasicBlock *block = call.getParent();
  guarded_exchange found;
  bool divides = false;
  for (llvm::BasicBlock &above : *item.function) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(above.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (const unsigned side : {0u, 1u}) {
      llvm::BasicBlock *taken = branch->getSuccessor(side);
      if (!dominators.dominates(llvm::BasicBlockEdge(&above, taken), block)) continue;
      divides |= !uniform.is_uniform(branch->getCondition()) && may_divide_sub_group(branch->getCondition(), item);
      if (loops.getLoopFor(&above) != loops.getLoopFor(block)) continue;
      while (taken && taken != block) taken = ends.immediate(taken);
      if (taken && (!found.branch || dominators.dominates(found.branch->getParent(), &above)))
        found = {&call, branch, side};
    }
  }
  return divides ? found : guarded_exchange();
}

guarded_exchange find_guarded(const work_item_function &item, const uniformity &uniform,
                              const llvm::DominatorTree &dominators) {
  const postdominators ends(*item.function);
  const llvm::LoopInfo loops(dominators);
  for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal(item.function)) {
    if (uniform.is_convergent(block)) continue;
    const auto call = llvm::find_if(*block, is_exchange);  // later ones of the block follow
    if (call == block->end()) continue;
    if (const auto found = innermost_guard(*call, item, uniform, dominators, ends, loops); found.call) return found;
  }
  return {};
}

/// Computes the value before the branch if that has no effect and cannot fail, so that it is known for all lanes.
void hoist(llvm::Value *value, llvm::Instruction &branch, const llvm::DominatorTree &dominators) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || dominators.dominates(instruction, &branch)) return;
  if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
      !llvm::isSafeToSpeculativelyExecute(instruction))
    return;
  for (llvm::Value *operand : instruction->operand_values()) {
    hoist(operand, branch, dominators);
    const auto *computed = llvm::dyn_cast<llvm::Instruction>(operand);
    if (computed && !dominators.dominates(computed, &branch)) return;
  }
  instruction->moveBefore(branch.getIterator());
}

void flatten(const guarded_exchange &found, llvm::DominatorTree &dominators) {
  const auto &[call, branch, side] = found;
  llvm::BasicBlock *above = branch->getParent(), *taken = branch->getSuccessor(side),
                   *other = branch->getSuccessor(1 - side);
  if (call->getNumOperands() > 1) hoist(call->getOperand(1), *branch, dominators);
  llvm::BasicBlock *exchange = call->getParent()->splitBasicBlock(call, "exchange");
  llvm::BasicBlock *after = exchange->splitBasicBlock(call->getNextNode(), "exchanged");
  dominators.recalculate(*above->getParent());
  // The values of the skipped part that are used from the exchange on.
  llvm::SmallVector<std::pair<llvm::Instruction *, llvm::SmallVector<llvm::Use *>>> crossing;
  for (llvm::BasicBlock &block : *above->getParent()) {
    if (!dominators.dominates(taken, &block) || dominators.dominates(exchange, &block)) continue;
    for (llvm::Instruction &instruction : block) {
      llvm::SmallVector<llvm::Use *> uses;
      for (llvm::Use &use : instruction.uses())
        if (dominators.dominates(exchange, block_of(use))) uses.push_back(&use);
      if (!uses.empty()) crossing.emplace_back(&instruction, std::move(uses));
    }
  }
  branch->setSuccessor(1 - side, exchange);
  exchange->getTerminator()->eraseFromParent();
  auto *again = llvm::BranchInst::Create(after, other, branch->getCondition(), exchange);
  if (side == 1) again->swapSuccessors();
  again->setDebugLoc(branch->getDebugLoc());
  other->replacePhiUsesWith(above, exchange);
  for (const auto &[value, uses] : crossing) {
    llvm::SSAUpdater values;
    values.Initialize(value->getType(), value->getName());
    values.AddAvailableValue(value->getParent(), value);
    values.AddAvailableValue(above, llvm::PoisonValue::get(value->getType()));
    for (llvm::Use *use : uses) values.RewriteUse(*use);
  }
}

}  // namespace

void flatten_exchanges(work_item_function &item) {
  const uniformity before(item);
  if (llvm::none_of(llvm::instructions(*item.function), [&](const llvm::Instruction &each) {
        return is_exchange(each) && !before.is_convergent(each.getParent());
      }))
    return;
  for (llvm::BasicBlock &block : llvm::make_early_inc_range(*item.function))
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator()))
      if (!before.is_uniform(choice->getCondition())) lower_switch(*choice);
  // Each step needs the analyses again; more exchanges than this are left to the next form.
  constexpr int most = 128;
  for (int step = 0; step < most; ++step) {
    const uniformity uniform(item);
    llvm::DominatorTree dominators(*item.function);
    const guarded_exchange found = find_guarded(item, uniform, dominators);
    if (!found.call) return;
    flatten(found, dominators);
  }
}

}  // namespace dpep::jit::spmd
