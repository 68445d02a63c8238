// The search for heads, group branches and regions.
#include "jit/spmd/regions.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/postdominators.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {
namespace {

/// Returns the blocks reached from `block` by another edge than that to `head`, before `head`.
llvm::DenseSet<llvm::BasicBlock *> reached_around(llvm::BasicBlock *block, llvm::BasicBlock *head) {
  llvm::DenseSet<llvm::BasicBlock *> reached;
  for (llvm::BasicBlock *other : llvm::successors(block)) {
    if (other == head || !reached.insert(other).second) continue;
    for (llvm::BasicBlock *further : blocks_between(other, head)) reached.insert(further);
  }
  return reached;
}

/// Whether the phi's old value is live when `block` branches to another block than the phi's.
bool is_live_around(llvm::PHINode &phi, llvm::BasicBlock *block) {
  const auto reached = reached_around(block, phi.getParent());
  return llvm::any_of(phi.uses(), [&](const llvm::Use &use) {
    auto *phi_user = llvm::dyn_cast<llvm::PHINode>(use.getUser());
    // A phi of another successor uses the value on that successor's edge.
    if (phi_user && phi_user->getIncomingBlock(use) == block) return phi_user->getParent() != phi.getParent();
    return reached.contains(block_of(use));
  });
}

}  // namespace

llvm::BasicBlock *block_of(const llvm::Use &use) {
  auto *user = llvm::cast<llvm::Instruction>(use.getUser());
  auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

llvm::SmallVector<barrier> split_at_barriers(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const builtin which = builtin_of(instruction);
    if (which == builtin::group_barrier || which == builtin::sub_group_barrier || which == builtin::sub_group_shuffle)
      calls.push_back(&instruction);
  }
  llvm::SmallVector<barrier> barriers;
  for (llvm::Instruction *call : calls) {
    const builtin which = builtin_of(*call);
    llvm::BasicBlock *block = call->getParent();
    if (which == builtin::sub_group_shuffle) {
      llvm::BasicBlock *alone = block->splitBasicBlock(call, "shuffle");
      barriers.push_back({alone, false, call->getDebugLoc()});
      barriers.push_back({alone->splitBasicBlock(call->getNextNode(), "shuffled"), false, {}});
      continue;
    }
    const bool whole_group = which == builtin::group_barrier;
    const bool first = block->getFirstNonPHIOrDbg()->getIterator() == call->getIterator();
    auto *same = llvm::find_if(barriers, [&](const barrier &each) { return each.block == block; });
    llvm::Instruction *after = call->getNextNode();
    llvm::DebugLoc location = call->getDebugLoc();
    call->eraseFromParent();
    if (first && same != barriers.end()) {  // directly after another barrier
      same->whole_group |= whole_group;
      if (!same->location) same->location = location;
    } else {
      barriers.push_back({block->splitBasicBlock(after, "barrier"), whole_group, location});
      block->getTerminator()->setDebugLoc(location);  // that of the code after it would make debuggers stop here
    }
  }
  return barriers;
}

region_graph::region_graph(llvm::Function &function, llvm::ArrayRef<barrier> barriers, const uniformity &uniform) {
  find_heads(function, barriers, uniform);
  split_edges_to_heads();
  find_overwritten();
  find_regions(function);
}

void region_graph::find_heads(llvm::Function &function, llvm::ArrayRef<barrier> barriers, const uniformity &uniform) {
  heads_.insert(&function.getEntryBlock());
  for (const barrier &each : barriers) heads_.insert(each.block);
  if (barriers.empty()) return;
  const postdominators ends(function);
  llvm::SmallVector<llvm::BasicBlock *> branches;
  for (llvm::BasicBlock &block : function) {
    llvm::Instruction *branch = block.getTerminator();
    if (branch->getNumSuccessors() < 2 || !uniform.is_convergent(&block)) continue;
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(branch) || !uniform.is_uniform(branch->getOperand(0))) continue;
    llvm::BasicBlock *end = ends.immediate(&block);
    const auto between = blocks_between(&block, end);
    if (llvm::none_of(barriers, [&](const barrier &each) { return between.contains(each.block); })) continue;
    branches.push_back(&block);
    group_branches_.insert(&block);
    // The block may be the header of a loop that work-items leave in different iterations: it must not be split.
    if (end && uniform.is_convergent(end)) heads_.insert(end);
  }
  for (llvm::BasicBlock *branch : branches)
    for (llvm::BasicBlock *target : llvm::to_vector(llvm::successors(branch))) {
      if (!llvm::is_contained(llvm::successors(branch), target)) continue;  // a second edge, split with the first
      const bool together = uniform.is_convergent(target);
      heads_.insert(together ? target : llvm::SplitBlockPredecessors(target, {branch}, ".edge"));
    }
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (const barrier &each : barriers)
    for (llvm::Loop *loop = loops.getLoopFor(each.block); loop; loop = loop->getParentLoop())
      if (uniform.is_convergent(loop->getHeader())) heads_.insert(loop->getHeader());
}

void region_graph::split_edges_to_heads() {
  // By index: split edges of group branches become heads themselves, and have no phis.
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    llvm::BasicBlock *head = heads_[i];
    if (head->phis().empty()) continue;
    for (llvm::BasicBlock *before : llvm::to_vector(llvm::predecessors(head))) {
      if (before->getTerminator()->getNumSuccessors() == 1) continue;
      const bool safe = llvm::none_of(head->phis(), [&](llvm::PHINode &phi) { return is_live_around(phi, before); });
      if (safe) continue;
      if (!llvm::is_contained(llvm::predecessors(head), before)) continue;  // a second edge, split with the first
      llvm::BasicBlock *edge = llvm::SplitBlockPredecessors(head, {before}, ".edge");
      if (is_group_branch(before)) heads_.insert(edge);
    }
  }
}

void region_graph::find_overwritten() {
  for (llvm::BasicBlock *head : heads_) {
    if (head->phis().empty()) continue;
    for (llvm::BasicBlock *before : llvm::predecessors(head))
      if (before->getTerminator()->getNumSuccessors() > 1)
        for (llvm::BasicBlock *reached : reached_around(before, head)) overwritten_in_[head].insert(reached);
  }
}

bool region_graph::may_be_overwritten(llvm::BasicBlock *head, llvm::BasicBlock *block) const {
  auto found = overwritten_in_.find(head);
  return found != overwritten_in_.end() && found->second.contains(block);
}

void region_graph::find_regions(llvm::Function &function) {
  llvm::SetVector<llvm::BasicBlock *> reached;
  reached.insert(&function.getEntryBlock());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    region found{.head = reached[i], .blocks = {}};
    found.blocks.insert(found.head);
    for (std::size_t next = 0; next < found.blocks.size(); ++next) {
      llvm::BasicBlock *block = found.blocks[next];
      for (llvm::BasicBlock *successor : llvm::successors(block))
        if (is_group_branch(block) || is_head(successor))
          reached.insert(successor);
        else
          found.blocks.insert(successor);
    }
    for (llvm::BasicBlock *block : found.blocks) regions_of_[block].push_back(static_cast<unsigned>(i));
    regions_.push_back(std::move(found));
  }
}

bool region_graph::crosses(llvm::BasicBlock *definition, llvm::BasicBlock *use,
                           const llvm::DominatorTree &dominators) const {
  auto found = regions_of_.find(use);
  if (found == regions_of_.end()) return false;  // unreachable
  return llvm::any_of(found->second, [&](unsigned number) {
    const region &code = regions_[number];
    return !code.blocks.contains(definition) || dominators.properlyDominates(definition, code.head);
  });
}

}  // namespace dpep::jit::spmd
