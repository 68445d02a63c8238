// The control flow of the vector loop: blocks in sequence under masks, with branches where a condition is uniform or no
// lane is active.
#include "jit/spmd/vector/control_flow.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>

#include "jit/spmd/vector/instructions.hpp"
#include "jit/spmd/vector/masks.hpp"

namespace dpep::jit::spmd {

void control_flow::emit_body(llvm::Value *mask) {
  pending_[code_.items.header] = {.mask = mask, .nonempty = true, .values = {}};
  code_.deferred.clear();
  emit_subtree(code_.items.header, code_.items.loop);
  assert(reachable_ && "an item loop always reaches its latch");
}

void control_flow::start_block(llvm::BasicBlock *block) {
  code_.build.SetInsertPoint(block);
  reachable_ = true;
}

// The nodes of a level are its own blocks, and the headers of the loops directly inside.
bool control_flow::is_level_node(llvm::BasicBlock *block, llvm::Loop *level) const {
  llvm::Loop *loop = code_.analyses.loops.getLoopFor(block);
  return loop == level || (loop && loop->getParentLoop() == level && loop->getHeader() == block);
}

llvm::BasicBlock *control_flow::level_node_of(llvm::BasicBlock *block, llvm::Loop *level) const {
  llvm::Loop *loop = code_.analyses.loops.getLoopFor(block);
  if (loop == level) return block;
  while (loop->getParentLoop() != level) loop = loop->getParentLoop();
  return loop->getHeader();
}

control_flow::incoming control_flow::take_incoming(llvm::BasicBlock *block) {
  const auto found = pending_.find(block);
  if (found == pending_.end()) return {};
  incoming result = std::move(found->second);
  pending_.erase(found);
  return result;
}

// A block that post-dominates its dominator has the same active lanes, and needs no mask of its own.
control_flow::active_lanes control_flow::active_lanes_at(llvm::BasicBlock *block, const incoming &in) {
  llvm::Loop *level = code_.analyses.loops.getLoopFor(block);
  if (level->getHeader() == block && level != code_.items.loop) level = level->getParentLoop();
  if (block != level->getHeader()) {
    llvm::BasicBlock *dominator = level_node_of(code_.analyses.dominators.getNode(block)->getIDom()->getBlock(), level);
    if (code_.analyses.postdominators.dominates(block, dominator)) return active_lanes_.lookup(dominator);
  }
  return {in.mask ? in.mask : code_.no_lanes, in.nonempty};
}

void control_flow::emit_subtree(llvm::BasicBlock *block, llvm::Loop *level) {
  if (!reachable_) return;
  incoming in = take_incoming(block);
  active_lanes here = active_lanes_at(block, in);
  llvm::SmallVector<predecessor, 2> predecessors;
  llvm::BasicBlock *after = nullptr;
  if (!here.nonempty && needs_skip_branch(code_, block, level)) {
    // If no other lane is pending in a divergent loop, a block without active lanes means that all lanes have left it.
    const bool leaves_loop = code_.shapes.is_divergent(level) && no_active_lanes(level);
    llvm::BasicBlock *then = code_.new_block(block->getName() + ".active");
    after = code_.new_block(block->getName() + (leaves_loop ? ".inactive" : ".after"));
    llvm::Value *any_active = any_lane(code_, here.mask);
    llvm::BasicBlock *end = code_.build.GetInsertBlock();
    code_.build.CreateCondBr(any_active, then, after);
    if (leaves_loop) {
      const incoming_map pending = pending_;
      start_block(after);
      exit_loop(level);
      pending_ = pending;
      after = nullptr;
    } else {
      predecessors.push_back({end, pending_});
    }
    start_block(then);
    here.nonempty = true;
  }
  active_lanes_[block] = here;
  llvm::Loop *loop = code_.analyses.loops.getLoopFor(block);
  if (loop != level) {
    in.mask = here.mask;
    emit_loop(loop, std::move(in));
    llvm::SmallVector<llvm::BasicBlock *> children;
    for (llvm::BasicBlock *inside : loop->blocks())
      for (auto *child : code_.analyses.dominators.getNode(inside)->children())
        if (!loop->contains(child->getBlock()) && is_level_node(child->getBlock(), level))
          children.push_back(child->getBlock());
    llvm::sort(children, [&](auto *a, auto *b) { return code_.shapes.position(a) < code_.shapes.position(b); });
    for (llvm::BasicBlock *child : children) emit_subtree(child, level);
  } else {
    for (llvm::PHINode &phi : block->phis())
      if (const auto found = in.values.find(&phi); found != in.values.end()) set_phi(phi, found->second);
    emit_block(block, level);
    emit_children(block, level);
  }
  if (!after) return;
  if (reachable_) {
    predecessors.push_back({code_.build.GetInsertBlock(), std::move(pending_)});
    code_.build.CreateBr(after);
  }
  join(after, predecessors);
}

void control_flow::emit_children(llvm::BasicBlock *block, llvm::Loop *level) {
  llvm::SmallVector<llvm::BasicBlock *> children;
  for (auto *child : code_.analyses.dominators.getNode(block)->children())
    if (is_level_node(child->getBlock(), level) && !active_lanes_.contains(child->getBlock()))
      children.push_back(child->getBlock());
  llvm::sort(children, [&](auto *a, auto *b) { return code_.shapes.position(a) < code_.shapes.position(b); });
  for (llvm::BasicBlock *child : children) emit_subtree(child, level);
}

void control_flow::emit_block(llvm::BasicBlock *block, llvm::Loop *level) {
  const active_lanes here = active_lanes_.lookup(block);
  code_.mask = here.mask;
  const bool has_rows =
      is_all_lanes(code_, here.mask) && !code_.analyses.scalarised && llvm::isPowerOf2_32(code_.lanes);
  code_.groups.emplace(*block, code_.shapes, code_.analyses.disjoint, has_rows ? code_.lanes : 0);
  for (llvm::Instruction &instruction : *block)
    if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator()) emit_instruction(code_, instruction);
  if (block == code_.items.latch) return;
  llvm::SmallSetVector<llvm::BasicBlock *, 4> targets(llvm::succ_begin(block), llvm::succ_end(block));
  if (targets.size() == 1)
    add_edge(block, targets.front(), here.mask, here.nonempty);
  else if (code_.shapes.is_divergent(block))
    emit_divergent_branch(block);
  else
    emit_uniform_branch(block, level);
  if (targets.size() == 1 && !level->contains(targets.front()) && no_active_lanes(level)) exit_loop(level);
}

// In a divergent loop, lanes that have not left may be pending at another of its blocks.
bool control_flow::no_active_lanes(llvm::Loop *level) const {
  if (!code_.shapes.is_divergent(level)) return true;
  return llvm::none_of(pending_, [&](const auto &each) { return level->contains(each.first); });
}

void control_flow::emit_uniform_branch(llvm::BasicBlock *block, llvm::Loop *level) {
  const active_lanes here = active_lanes_.lookup(block);
  llvm::Instruction *branch = block->getTerminator()->clone();
  branch->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  branch->setOperand(0, code_.values.first(block->getTerminator()->getOperand(0)));
  llvm::SmallSetVector<llvm::BasicBlock *, 4> targets(llvm::succ_begin(block), llvm::succ_end(block));
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> starts;
  for (llvm::BasicBlock *target : targets) starts[target] = code_.new_block(target->getName() + ".uniform");
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    branch->setSuccessor(i, starts.lookup(branch->getSuccessor(i)));
  code_.build.Insert(branch);

  llvm::BasicBlock *after = code_.new_block(block->getName() + ".joined");
  llvm::SmallVector<predecessor, 4> predecessors;
  const incoming_map before = std::move(pending_);
  for (llvm::BasicBlock *target : targets) {
    start_block(starts.lookup(target));
    pending_ = before;
    add_edge(block, target, here.mask, here.nonempty);
    if (!level->contains(target) && no_active_lanes(level))
      exit_loop(level);
    else if (target->getUniquePredecessor() == block && is_level_node(target, level))
      emit_subtree(target, level);
    if (!reachable_) continue;
    predecessors.push_back({code_.build.GetInsertBlock(), std::move(pending_)});
    code_.build.CreateBr(after);
  }
  join(after, predecessors);
}

void control_flow::emit_divergent_branch(llvm::BasicBlock *block) {
  const active_lanes here = active_lanes_.lookup(block);
  llvm::Instruction *end = block->getTerminator();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    llvm::Value *condition = code_.values.wide(branch->getCondition()), *taken = mask_and(code_, here.mask, condition);
    // Derived from the mask of the taken edge: the inverse condition would be a second comparison.
    llvm::Value *not_taken =
        is_all_lanes(code_, here.mask) ? mask_not(code_, condition) : code_.build.CreateXor(here.mask, taken);
    add_edge(block, branch->getSuccessor(0), taken, false);
    add_edge(block, branch->getSuccessor(1), not_taken, false);
    return;
  }
  auto *branch = llvm::cast<llvm::SwitchInst>(end);
  llvm::Value *value = code_.values.wide(branch->getCondition());
  llvm::MapVector<llvm::BasicBlock *, llvm::Value *> targets;
  llvm::Value *any_case = code_.no_lanes;
  for (const auto &each : branch->cases()) {
    llvm::Value *equal =
        code_.build.CreateICmpEQ(value, code_.build.CreateVectorSplat(code_.lanes, each.getCaseValue()));
    llvm::Value *&mask = targets.try_emplace(each.getCaseSuccessor(), code_.no_lanes).first->second;
    mask = mask_or(code_, mask, equal);
    any_case = mask_or(code_, any_case, equal);
  }
  llvm::Value *&default_mask = targets.try_emplace(branch->getDefaultDest(), code_.no_lanes).first->second;
  default_mask = mask_or(code_, default_mask, mask_not(code_, any_case));
  for (const auto &[target, mask] : targets) add_edge(block, target, mask_and(code_, here.mask, mask), false);
}

void control_flow::add_edge(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask, bool nonempty) {
  incoming &in = pending_[to];
  for (llvm::PHINode &phi : to->phis()) {
    llvm::Value *value = phi_value(phi, phi.getIncomingValueForBlock(from));
    const auto [known, first] = in.values.try_emplace(&phi, value);
    if (first || known->second == value) continue;
    if (code_.shapes.of(&phi).is_varying())
      known->second = select_lanes(code_, mask, value, known->second);
    else
      known->second = nonempty ? value : code_.build.CreateSelect(any_lane(code_, mask), value, known->second);
  }
  in.mask = in.mask ? mask_or(code_, in.mask, mask) : mask;
  in.nonempty |= nonempty;
}

llvm::Value *control_flow::phi_value(llvm::PHINode &phi, llvm::Value *value) {
  return code_.shapes.of(&phi).is_varying() ? code_.values.wide(value) : code_.values.first(value);
}

void control_flow::set_phi(llvm::PHINode &phi, llvm::Value *value) {
  if (code_.shapes.of(&phi).is_varying())
    code_.values.set_wide(&phi, value);
  else
    code_.values.set_first(&phi, value);
}

llvm::Type *control_flow::phi_type(const llvm::PHINode &phi) const {
  return code_.shapes.of(&phi).is_varying() ? code_.values.widen(phi.getType()) : phi.getType();
}

void control_flow::exit_loop(llvm::Loop *level) {
  loop_exits_[level].push_back({code_.build.GetInsertBlock(), std::move(pending_)});
  pending_.clear();
  reachable_ = false;
}

void control_flow::join(llvm::BasicBlock *where, llvm::MutableArrayRef<predecessor> predecessors) {
  pending_.clear();
  if (predecessors.empty()) {
    where->eraseFromParent();
    reachable_ = false;
    return;
  }
  start_block(where);
  llvm::SmallSetVector<llvm::BasicBlock *, 8> targets;
  for (const predecessor &each : predecessors)
    for (const auto &[target, in] : each.pending) targets.insert(target);
  const auto merge = [&](llvm::Type *type, auto value_of) -> llvm::Value * {
    llvm::Value *same = value_of(predecessors.front());
    if (llvm::all_of(predecessors, [&](const predecessor &each) { return value_of(each) == same; })) return same;
    llvm::PHINode *phi = code_.build.CreatePHI(type, static_cast<unsigned>(predecessors.size()));
    for (const predecessor &each : predecessors) phi->addIncoming(value_of(each), each.end);
    return phi;
  };
  const incoming no_lanes;
  for (llvm::BasicBlock *target : targets) {
    const auto of = [&](const predecessor &each) -> const incoming & {
      const auto found = each.pending.find(target);
      return found == each.pending.end() ? no_lanes : found->second;
    };
    incoming &in = pending_[target];
    in.mask = merge(code_.all_lanes->getType(), [&](const predecessor &each) -> llvm::Value * {
      return of(each).mask ? of(each).mask : code_.no_lanes;
    });
    in.nonempty = llvm::all_of(predecessors, [&](const predecessor &each) { return of(each).nonempty; });
    for (llvm::PHINode &phi : target->phis()) {
      const auto value_of = [&](const predecessor &each) -> llvm::Value * {
        const auto found = of(each).values.find(&phi);
        return found == of(each).values.end() ? llvm::PoisonValue::get(phi_type(phi)) : found->second;
      };
      in.values[&phi] = merge(phi_type(phi), value_of);
    }
  }
}

}  // namespace dpep::jit::spmd
