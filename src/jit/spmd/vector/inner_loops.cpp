// Loops inside the item loop: they iterate while any lane is active.
#include <utility>

#include "jit/spmd/vector/control_flow.hpp"
#include "jit/spmd/vector/masks.hpp"

namespace dpep::jit::spmd {

control_flow::carried_phis control_flow::carry_phis(llvm::BasicBlock &header, const loop_entry &entry) {
  carried_phis carried;
  for (llvm::PHINode &phi : header.phis()) {
    llvm::PHINode *made = carried[&phi] = code_.build.CreatePHI(phi_type(phi), 2, phi.getName());
    made->addIncoming(entry.values.lookup(&phi), entry.block);
    set_phi(phi, made);
  }
  return carried;
}

void control_flow::emit_loop(llvm::Loop *loop, incoming entered) {
  llvm::BasicBlock *header = loop->getHeader();
  const active_lanes outside = active_lanes_.lookup(header);
  const bool divergent = code_.shapes.is_divergent(loop), unmasked = has_unmasked_iterations(*loop);
  loop_entry entry{code_.build.GetInsertBlock(), outside.mask, std::move(entered.values)};
  llvm::BasicBlock *after = code_.new_block(header->getName() + ".left");
  if (unmasked) emit_unmasked_iterations(loop, entry, after);
  if (const unsigned max_lanes = max_sparse_lanes(*loop); max_lanes && !is_all_lanes(code_, entry.mask))
    emit_sparse_lanes(loop, max_lanes, entry, after);
  const bool was_rest = std::exchange(is_rest_, is_rest_ || unmasked);
  llvm::BasicBlock *start = code_.new_block(header->getName() + ".loop");
  after->moveAfter(start);
  code_.build.CreateBr(start);
  start_block(start);
  const carried_phis carried = carry_phis(*header, entry);
  // The masks and live-out values of lanes that have left are carried through the remaining iterations.
  llvm::PHINode *live = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  llvm::MapVector<llvm::BasicBlock *, incoming> carried_exits;
  if (divergent) {
    live = code_.build.CreatePHI(code_.all_lanes->getType(), 2, "live");
    live->addIncoming(entry.mask, entry.block);
    loop->getUniqueExitBlocks(exits);
    for (llvm::BasicBlock *exit : exits) {
      incoming &in = pending_[exit];
      const auto carry = [&](llvm::Type *type, llvm::Value *value) {
        llvm::PHINode *phi = code_.build.CreatePHI(type, 2, "left");
        phi->addIncoming(value, entry.block);
        return phi;
      };
      in.mask = carry(code_.all_lanes->getType(), in.mask ? in.mask : code_.no_lanes);
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
  for (predecessor &each : predecessors)
    if (!each.end->getTerminator()) llvm::BranchInst::Create(after, each.end);
  if (reachable_) {
    const incoming back = take_incoming(header);
    llvm::BasicBlock *end = code_.build.GetInsertBlock();
    if (!back.mask) {
      code_.build.CreateBr(after);
      predecessors.push_back({end, std::move(pending_)});
    } else {
      const bool conditional = divergent && !back.nonempty;
      mark_vectorised(*(conditional ? code_.build.CreateCondBr(any_lane(code_, back.mask), start, after)
                                    : code_.build.CreateBr(start)));
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
  is_rest_ = was_rest;
  active_lanes_[header] = outside;
  exit_outer_loop(loop, loop->getParentLoop());
}

// Exits of a loop may also leave the loop around it.
void control_flow::exit_outer_loop(llvm::Loop *left, llvm::Loop *level) {
  if (!reachable_ || code_.shapes.is_divergent(level)) return;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  left->getUniqueExitBlocks(exits);
  llvm::Value *leaving = code_.no_lanes;
  bool all = true;
  for (llvm::BasicBlock *exit : exits) {
    if (level->contains(exit))
      all = false;
    else if (const auto found = pending_.find(exit); found != pending_.end())
      leaving = mask_or(code_, leaving, found->second.mask);
  }
  if (all) {
    exit_loop(level);
  } else if (leaving != code_.no_lanes) {
    llvm::BasicBlock *out = code_.new_block("outer.exit"), *stay = code_.new_block("outer.stay");
    code_.build.CreateCondBr(any_lane(code_, leaving), out, stay);
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
