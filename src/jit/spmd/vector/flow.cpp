// The control flow of the vector loop: blocks one after the other under masks, branches where all lanes go one way or
// none goes.
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

llvm::BasicBlock *vector_code::new_block(const llvm::Twine &name) {
  auto *block = llvm::BasicBlock::Create(build_.getContext(), name, items_.header->getParent(), items_.header);
  values_.add_block(block);
  return block;
}

void vector_code::stand_in(llvm::BasicBlock *block) {
  build_.SetInsertPoint(block);
  reached_ = true;
}

// Of a level, its own blocks and the headers of the loops directly inside.
bool vector_code::is_node(llvm::BasicBlock *block, llvm::Loop *level) const {
  llvm::Loop *loop = analyses_.loops.getLoopFor(block);
  return loop == level || (loop && loop->getParentLoop() == level && loop->getHeader() == block);
}

llvm::BasicBlock *vector_code::node_of(llvm::BasicBlock *block, llvm::Loop *level) const {
  llvm::Loop *loop = analyses_.loops.getLoopFor(block);
  if (loop == level) return block;
  while (loop->getParentLoop() != level) loop = loop->getParentLoop();
  return loop->getHeader();
}

vector_code::arrival vector_code::take(llvm::BasicBlock *block) {
  const auto found = arrivals_.find(block);
  if (found == arrivals_.end()) return {};
  arrival result = std::move(found->second);
  arrivals_.erase(found);
  return result;
}

// Where the ways from its dominator surely meet again, there are those who were there.
vector_code::lanes_here vector_code::lanes_at(llvm::BasicBlock *block, const arrival &come) {
  llvm::Loop *level = analyses_.loops.getLoopFor(block);
  if (level->getHeader() == block && level != items_.loop) level = level->getParentLoop();
  if (block != level->getHeader()) {
    llvm::BasicBlock *dominator = node_of(analyses_.dominators.getNode(block)->getIDom()->getBlock(), level);
    if (analyses_.ends.dominates(block, dominator)) return lanes_at_.lookup(dominator);
  }
  return {come.mask ? come.mask : none_, come.surely};
}

void vector_code::make_subtree(llvm::BasicBlock *block, llvm::Loop *level) {
  if (!reached_) return;
  arrival come = take(block);
  lanes_here here = lanes_at(block, come);
  const bool jump = !here.surely && wants_jump(block, level);
  llvm::SmallVector<way, 2> ways;
  llvm::BasicBlock *after = nullptr;
  if (jump) {
    llvm::BasicBlock *then = new_block(block->getName() + ".some");
    after = new_block(block->getName() + (shapes_.parts(level) && nobody_stays(level) ? ".nobody" : ".after"));
    llvm::Value *some = any(here.mask);
    llvm::BasicBlock *end = build_.GetInsertBlock();
    build_.CreateCondBr(some, then, after);
    if (shapes_.parts(level) && nobody_stays(level)) {  // nobody here is nobody in the loop
      const state now = arrivals_;
      stand_in(after);
      leave(level);
      arrivals_ = now;
      after = nullptr;
    } else {
      ways.push_back({end, arrivals_});
    }
    stand_in(then);
    here.surely = true;
  }
  lanes_at_[block] = here;
  llvm::Loop *loop = analyses_.loops.getLoopFor(block);
  if (loop != level) {
    come.mask = here.mask;
    make_loop(loop, std::move(come));
    llvm::SmallVector<llvm::BasicBlock *> children;
    for (llvm::BasicBlock *inside : loop->blocks())
      for (auto *child : analyses_.dominators.getNode(inside)->children())
        if (!loop->contains(child->getBlock()) && is_node(child->getBlock(), level))
          children.push_back(child->getBlock());
    llvm::sort(children, [&](auto *a, auto *b) { return shapes_.position(a) < shapes_.position(b); });
    for (llvm::BasicBlock *child : children) make_subtree(child, level);
  } else {
    for (llvm::PHINode &phi : block->phis())
      if (const auto found = come.values.find(&phi); found != come.values.end()) set_phi(phi, found->second);
    make_block(block, level);
    make_children(block, level);
  }
  if (!after) return;
  if (reached_) {
    ways.push_back({build_.GetInsertBlock(), std::move(arrivals_)});
    build_.CreateBr(after);
  }
  meet(after, ways);
}

void vector_code::make_children(llvm::BasicBlock *block, llvm::Loop *level) {
  llvm::SmallVector<llvm::BasicBlock *> children;
  for (auto *child : analyses_.dominators.getNode(block)->children())
    if (is_node(child->getBlock(), level) && !lanes_at_.contains(child->getBlock()))
      children.push_back(child->getBlock());
  llvm::sort(children, [&](auto *a, auto *b) { return shapes_.position(a) < shapes_.position(b); });
  for (llvm::BasicBlock *child : children) make_subtree(child, level);
}

void vector_code::make_block(llvm::BasicBlock *block, llvm::Loop *level) {
  const lanes_here here = lanes_at_.lookup(block);
  mask_ = here.mask;
  groups_.emplace(*block, shapes_);
  for (llvm::Instruction &instruction : *block)
    if (!llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator()) make_instruction(instruction);
  if (block == items_.latch) return;
  llvm::SmallSetVector<llvm::BasicBlock *, 4> targets(llvm::succ_begin(block), llvm::succ_end(block));
  if (targets.size() == 1)
    go(block, targets.front(), here.mask, here.surely);
  else if (shapes_.parts(block))
    branch_apart(block);
  else
    branch_together(block, level);
  if (targets.size() == 1 && !level->contains(targets.front()) && nobody_stays(level)) leave(level);
}

// Where work-items leave a loop at different times, those who stay may be on their way elsewhere.
bool vector_code::nobody_stays(llvm::Loop *level) const {
  if (!shapes_.parts(level)) return true;
  return llvm::none_of(arrivals_, [&](const auto &come) { return level->contains(come.first); });
}

void vector_code::branch_together(llvm::BasicBlock *block, llvm::Loop *level) {
  const lanes_here here = lanes_at_.lookup(block);
  llvm::Instruction *branch = block->getTerminator()->clone();
  branch->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  branch->setOperand(0, values_.first(block->getTerminator()->getOperand(0)));
  llvm::SmallSetVector<llvm::BasicBlock *, 4> targets(llvm::succ_begin(block), llvm::succ_end(block));
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> starts;
  for (llvm::BasicBlock *target : targets) starts[target] = new_block(target->getName() + ".all");
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    branch->setSuccessor(i, starts.lookup(branch->getSuccessor(i)));
  build_.Insert(branch);

  llvm::BasicBlock *after = new_block(block->getName() + ".joined");
  llvm::SmallVector<way, 4> ways;
  const state before = std::move(arrivals_);
  for (llvm::BasicBlock *target : targets) {
    stand_in(starts.lookup(target));
    arrivals_ = before;
    go(block, target, here.mask, here.surely);
    if (!level->contains(target) && nobody_stays(level))
      leave(level);
    else if (target->getUniquePredecessor() == block && is_node(target, level))
      make_subtree(target, level);
    if (!reached_) continue;
    ways.push_back({build_.GetInsertBlock(), std::move(arrivals_)});
    build_.CreateBr(after);
  }
  meet(after, ways);
}

void vector_code::branch_apart(llvm::BasicBlock *block) {
  const lanes_here here = lanes_at_.lookup(block);
  llvm::Instruction *end = block->getTerminator();
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
    llvm::Value *condition = values_.wide(branch->getCondition()), *yes = both(here.mask, condition);
    // The others by what is known of these: an opposite comparison would be one more.
    llvm::Value *no = is_all(here.mask) ? opposite(condition) : build_.CreateXor(here.mask, yes);
    go(block, branch->getSuccessor(0), yes, false);
    go(block, branch->getSuccessor(1), no, false);
    return;
  }
  auto *choice = llvm::cast<llvm::SwitchInst>(end);
  llvm::Value *value = values_.wide(choice->getCondition());
  llvm::MapVector<llvm::BasicBlock *, llvm::Value *> chosen;
  llvm::Value *any_case = none_;
  for (const auto &each : choice->cases()) {
    llvm::Value *equal = build_.CreateICmpEQ(value, build_.CreateVectorSplat(lanes_, each.getCaseValue()));
    llvm::Value *&mask = chosen.try_emplace(each.getCaseSuccessor(), none_).first->second;
    mask = either(mask, equal);
    any_case = either(any_case, equal);
  }
  llvm::Value *&otherwise = chosen.try_emplace(choice->getDefaultDest(), none_).first->second;
  otherwise = either(otherwise, opposite(any_case));
  for (const auto &[target, mask] : chosen) go(block, target, both(here.mask, mask), false);
}

void vector_code::go(llvm::BasicBlock *from, llvm::BasicBlock *to, llvm::Value *mask, bool surely) {
  arrival &come = arrivals_[to];
  for (llvm::PHINode &phi : to->phis()) {
    llvm::Value *value = phi_value(phi, phi.getIncomingValueForBlock(from));
    const auto [place, first] = come.values.try_emplace(&phi, value);
    if (first || place->second == value) continue;
    if (shapes_.of(&phi).is_varying())
      place->second = choose(mask, value, place->second);
    else
      place->second = surely ? value : build_.CreateSelect(any(mask), value, place->second);
  }
  come.mask = come.mask ? either(come.mask, mask) : mask;
  come.surely |= surely;
}

llvm::Value *vector_code::phi_value(llvm::PHINode &phi, llvm::Value *value) {
  return shapes_.of(&phi).is_varying() ? values_.wide(value) : values_.first(value);
}

void vector_code::set_phi(llvm::PHINode &phi, llvm::Value *value) {
  if (shapes_.of(&phi).is_varying())
    values_.set_wide(&phi, value);
  else
    values_.set_first(&phi, value);
}

llvm::Type *vector_code::type_of(const llvm::PHINode &phi) const {
  return shapes_.of(&phi).is_varying() ? values_.widen(phi.getType()) : phi.getType();
}

void vector_code::leave(llvm::Loop *level) {
  left_[level].push_back({build_.GetInsertBlock(), std::move(arrivals_)});
  arrivals_.clear();
  reached_ = false;
}

void vector_code::meet(llvm::BasicBlock *where, llvm::MutableArrayRef<way> ways) {
  arrivals_.clear();
  if (ways.empty()) {
    where->eraseFromParent();
    reached_ = false;
    return;
  }
  stand_in(where);
  llvm::SmallSetVector<llvm::BasicBlock *, 8> targets;
  for (const way &each : ways)
    for (const auto &[target, come] : each.arrivals) targets.insert(target);
  const auto join = [&](llvm::Type *type, auto value_of) -> llvm::Value * {
    llvm::Value *same = value_of(ways.front());
    if (llvm::all_of(ways, [&](const way &each) { return value_of(each) == same; })) return same;
    llvm::PHINode *phi = build_.CreatePHI(type, static_cast<unsigned>(ways.size()));
    for (const way &each : ways) phi->addIncoming(value_of(each), each.end);
    return phi;
  };
  const arrival nobody;
  for (llvm::BasicBlock *target : targets) {
    const auto of = [&](const way &each) -> const arrival & {
      const auto found = each.arrivals.find(target);
      return found == each.arrivals.end() ? nobody : found->second;
    };
    arrival &come = arrivals_[target];
    come.mask =
        join(all_->getType(), [&](const way &each) -> llvm::Value * { return of(each).mask ? of(each).mask : none_; });
    come.surely = llvm::all_of(ways, [&](const way &each) { return of(each).surely; });
    for (llvm::PHINode &phi : target->phis()) {
      const auto value_of = [&](const way &each) -> llvm::Value * {
        const auto found = of(each).values.find(&phi);
        return found == of(each).values.end() ? llvm::PoisonValue::get(type_of(phi)) : found->second;
      };
      come.values[&phi] = join(type_of(phi), value_of);
    }
  }
}

}  // namespace dpep::jit::spmd
