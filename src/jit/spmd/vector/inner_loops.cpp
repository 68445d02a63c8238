// Loops inside the item loop: they iterate while any lane is active.
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

void vector_code::emit_loop(llvm::Loop *loop, incoming entered) {
  llvm::BasicBlock *header = loop->getHeader(), *before = build_.GetInsertBlock();
  const active_lanes outside = active_lanes_.lookup(header);
  const bool divergent = shapes_.is_divergent(loop);
  llvm::BasicBlock *start = new_block(header->getName() + ".loop"), *after = new_block(header->getName() + ".left");
  build_.CreateBr(start);
  start_block(start);
  llvm::MapVector<llvm::PHINode *, llvm::PHINode *> carried;
  for (llvm::PHINode &phi : header->phis()) {
    llvm::PHINode *made = carried[&phi] = build_.CreatePHI(phi_type(phi), 2, phi.getName());
    made->addIncoming(entered.values.lookup(&phi), before);
    set_phi(phi, made);
  }
  // The masks and live-out values of lanes that have left are carried through the remaining iterations.
  llvm::PHINode *live = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  llvm::MapVector<llvm::BasicBlock *, incoming> carried_exits;
  if (divergent) {
    live = build_.CreatePHI(all_->getType(), 2, "live");
    live->addIncoming(outside.mask, before);
    loop->getUniqueExitBlocks(exits);
    for (llvm::BasicBlock *exit : exits) {
      incoming &in = pending_[exit];
      const auto carry = [&](llvm::Type *type, llvm::Value *value) {
        llvm::PHINode *phi = build_.CreatePHI(type, 2, "left");
        phi->addIncoming(value, before);
        return phi;
      };
      in.mask = carry(all_->getType(), in.mask ? in.mask : none_);
      in.nonempty = false;
      for (llvm::PHINode &phi : exit->phis()) {
        llvm::Value *&value = in.values[&phi];
        value = carry(phi_type(phi), value ? value : llvm::PoisonValue::get(phi_type(phi)));
      }
      carried_exits[exit] = in;
    }
  }
  active_lanes_[header] = {divergent ? live : outside.mask, true};
  emit_block(header, loop);
  emit_children(header, loop);

  llvm::SmallVector<predecessor> predecessors = std::move(loop_exits_[loop]);
  for (predecessor &each : predecessors) llvm::BranchInst::Create(after, each.end);
  if (reachable_) {
    const incoming back = take_incoming(header);
    llvm::BasicBlock *end = build_.GetInsertBlock();
    if (!back.mask) {
      build_.CreateBr(after);
      predecessors.push_back({end, std::move(pending_)});
    } else {
      const bool conditional = divergent && !back.nonempty;
      mark_vectorised(conditional ? build_.CreateCondBr(any_lane(back.mask), start, after) : build_.CreateBr(start));
      for (const auto &[phi, made] : carried) made->addIncoming(back.values.lookup(phi), end);
      if (divergent) {
        live->addIncoming(back.mask, end);
        for (const auto &[exit, at_start] : carried_exits) {
          const incoming &now = pending_[exit];
          llvm::cast<llvm::PHINode>(at_start.mask)->addIncoming(now.mask, end);
          for (const auto &[phi, value] : at_start.values)
            llvm::cast<llvm::PHINode>(value)->addIncoming(now.values.lookup(phi), end);
        }
        if (conditional) predecessors.push_back({end, std::move(pending_)});
      }
    }
  }
  join(after, predecessors);
  active_lanes_[header] = outside;
  exit_outer_loop(loop, loop->getParentLoop());
}

// Exits of a loop may also leave the loop around it.
void vector_code::exit_outer_loop(llvm::Loop *left, llvm::Loop *level) {
  if (!reachable_ || shapes_.is_divergent(level)) return;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  left->getUniqueExitBlocks(exits);
  llvm::Value *leaving = none_;
  bool all = true;
  for (llvm::BasicBlock *exit : exits) {
    if (level->contains(exit))
      all = false;
    else if (const auto found = pending_.find(exit); found != pending_.end())
      leaving = mask_or(leaving, found->second.mask);
  }
  if (all) {
    exit_loop(level);
  } else if (leaving != none_) {
    llvm::BasicBlock *out = new_block("outer.exit"), *stay = new_block("outer.stay");
    build_.CreateCondBr(any_lane(leaving), out, stay);
    const incoming_map pending = pending_;
    start_block(out);
    exit_loop(level);
    start_block(stay);
    pending_ = pending;
    for (llvm::BasicBlock *exit : exits)
      if (!level->contains(exit)) pending_.erase(exit);
  }
}

}  // namespace dpep::jit::spmd
