// Loops inside the item loop: they go on while some lane does.
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

void vector_code::make_loop(llvm::Loop *loop, arrival entered) {
  llvm::BasicBlock *header = loop->getHeader(), *before = build_.GetInsertBlock();
  const lanes_here outside = lanes_at_.lookup(header);
  const bool parts = shapes_.parts(loop);
  llvm::BasicBlock *start = new_block(header->getName() + ".loop"), *after = new_block(header->getName() + ".left");
  build_.CreateBr(start);
  stand_in(start);
  llvm::MapVector<llvm::PHINode *, llvm::PHINode *> carried;
  for (llvm::PHINode &phi : header->phis()) {
    llvm::PHINode *made = carried[&phi] = build_.CreatePHI(type_of(phi), 2, phi.getName());
    made->addIncoming(entered.values.lookup(&phi), before);
    set_phi(phi, made);
  }
  // Lanes that have left wait with what they left with.
  llvm::PHINode *live = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  llvm::MapVector<llvm::BasicBlock *, arrival> waiting;
  if (parts) {
    live = build_.CreatePHI(all_->getType(), 2, "live");
    live->addIncoming(outside.mask, before);
    loop->getUniqueExitBlocks(exits);
    for (llvm::BasicBlock *exit : exits) {
      arrival &come = arrivals_[exit];
      const auto carry = [&](llvm::Type *type, llvm::Value *value) {
        llvm::PHINode *phi = build_.CreatePHI(type, 2, "left");
        phi->addIncoming(value, before);
        return phi;
      };
      come.mask = carry(all_->getType(), come.mask ? come.mask : none_);
      come.surely = false;
      for (llvm::PHINode &phi : exit->phis()) {
        llvm::Value *&value = come.values[&phi];
        value = carry(type_of(phi), value ? value : llvm::PoisonValue::get(type_of(phi)));
      }
      waiting[exit] = come;
    }
  }
  lanes_at_[header] = {parts ? live : outside.mask, true};
  make_block(header, loop);
  make_children(header, loop);

  llvm::SmallVector<way> ways = std::move(left_[loop]);
  for (way &each : ways) llvm::BranchInst::Create(after, each.end);
  if (reached_) {
    const arrival back = take(header);
    llvm::BasicBlock *end = build_.GetInsertBlock();
    if (!back.mask) {
      build_.CreateBr(after);
      ways.push_back({end, std::move(arrivals_)});
    } else {
      const bool asks = parts && !back.surely;
      mark_vectorised(asks ? build_.CreateCondBr(any(back.mask), start, after) : build_.CreateBr(start));
      for (const auto &[phi, made] : carried) made->addIncoming(back.values.lookup(phi), end);
      if (parts) {
        live->addIncoming(back.mask, end);
        for (const auto &[exit, at_start] : waiting) {
          const arrival &now = arrivals_[exit];
          llvm::cast<llvm::PHINode>(at_start.mask)->addIncoming(now.mask, end);
          for (const auto &[phi, value] : at_start.values)
            llvm::cast<llvm::PHINode>(value)->addIncoming(now.values.lookup(phi), end);
        }
        if (asks) ways.push_back({end, std::move(arrivals_)});
      }
    }
  }
  meet(after, ways);
  lanes_at_[header] = outside;
  leave_further(loop, loop->getParentLoop());
}

// Exits of a loop may be outside the loop around it, too.
void vector_code::leave_further(llvm::Loop *left, llvm::Loop *level) {
  if (!reached_ || shapes_.parts(level)) return;
  llvm::SmallVector<llvm::BasicBlock *> exits;
  left->getUniqueExitBlocks(exits);
  llvm::Value *further = none_;
  bool all = true;
  for (llvm::BasicBlock *exit : exits) {
    if (level->contains(exit))
      all = false;
    else if (const auto found = arrivals_.find(exit); found != arrivals_.end())
      further = either(further, found->second.mask);
  }
  if (all) {
    leave(level);
  } else if (further != none_) {
    llvm::BasicBlock *out = new_block("further"), *stay = new_block("stay");
    build_.CreateCondBr(any(further), out, stay);
    const state here = arrivals_;
    stand_in(out);
    leave(level);
    stand_in(stay);
    arrivals_ = here;
    for (llvm::BasicBlock *exit : exits)
      if (!level->contains(exit)) arrivals_.erase(exit);
  }
}

}  // namespace dpep::jit::spmd
