// Copying a region into loops.
#include "jit/spmd/region_code.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jit/spmd/barrier_check.hpp"
#include "jit/spmd/cells.hpp"
#include "jit/spmd/exchanges.hpp"
#include "jit/spmd/first_items.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/sole_item.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr std::uint32_t nobody = ~std::uint32_t{0};  // has left a region yet

}  // namespace

region_code::region_code(const group_context &context, const region &where)
    : context_(context), where_(where), build_(context.item.function->getContext()) {}

void region_code::make(llvm::BasicBlock *start) {
  build_.SetInsertPoint(start);
  accesses_ = llvm::MDNode::getDistinct(build_.getContext(), {});
  meet();
  forget_dead_lanes();
  const auto *lone = llvm::find_if(context_.exchanges, [&](const exchange &e) { return e.block == where_.head; });
  if (lone != context_.exchanges.end()) {
    lone->make(build_, context_.memory);
    build_.CreateBr(context_.start_of(where_.head->getSingleSuccessor()));
    return;
  }
  find_exits();
  map_names();
  open_loops();
  load_cells();
  copy_blocks();
  keep_cells();
  close_loops();
  show();
  go_on();
}

/// Null where no two arrays take turns.
const shown_in_region *region_code::with_shown() const {
  return context_.memory.shown.other ? &context_.cells.shown()->regions.find(where_.head)->second : nullptr;
}

/// What this region has left is what others read from now on.
void region_code::show() {
  const shown_in_region *here = with_shown();
  if (!here || !here->shows) return;
  const auto &[cell, shown, other] = context_.memory.shown;
  llvm::Value *before = build_.CreateLoad(shown->getAllocatedType(), shown);
  build_.CreateStore(build_.CreateLoad(other->getAllocatedType(), other), shown);
  build_.CreateStore(before, other);
}

/// The array of the cell's values.
llvm::Value *region_code::slots_of(unsigned number, bool to_store) {
  const shown_in_region *here = number == context_.memory.shown.cell ? with_shown() : nullptr;
  if (!here) return context_.memory.slots[number].start(build_, context_.frame);
  llvm::AllocaInst *place = here->reads_shown && !to_store ? context_.memory.shown.shown : context_.memory.shown.other;
  return build_.CreateLoad(place->getAllocatedType(), place);
}

llvm::AllocaInst *region_code::variable(llvm::Type *type, const llvm::Twine &name) {
  auto *made = new llvm::AllocaInst(type, 0, name, context_.frame.function->getEntryBlock().begin());
  context_.promotable.push_back(made);
  return made;
}

/// A sub-group waits for the others where its lanes have met.
void region_code::meet() {
  if (context_.item.counts != counted::lanes || context_.item.sub_groups.count == 1) return;
  const auto *here = llvm::find_if(context_.barriers, [&](const barrier &b) { return b.block == where_.head; });
  if (here == context_.barriers.end() || !here->of_group) return;
  llvm::Module *module = context_.frame.function->getParent();
  llvm::CallInst *wait = build_.CreateCall(module->getOrInsertFunction("__dpep_group_barrier", build_.getVoidTy()));
  wait->setDebugLoc(here->place);
}

/// Says which of a sub-group's slots have nothing in them that is wanted, so that they need not be kept for each
/// sub-group across the work-group's barriers.
void region_code::forget_dead_lanes() {
  if (context_.item.counts != counted::lanes) return;
  llvm::BitVector fresh(context_.cells.all().size());
  for (llvm::BasicBlock *block : where_.blocks) fresh |= context_.cells.live().written_in(block);
  fresh.reset(context_.cells.live().at_start(where_.head));
  for (unsigned number : fresh.set_bits())
    if (llvm::AllocaInst *lanes = context_.memory.slots[number].on_stack()) build_.CreateLifetimeStart(lanes);
}

void region_code::find_exits() {
  const auto &cells = context_.cells;
  llvm::BitVector written(cells.all().size());
  for (llvm::BasicBlock *block : where_.blocks) written |= cells.live().written_in(block);
  const auto add = [&](const successor &to, llvm::BitVector wanted) {
    if (exits_.contains(to)) return;
    wanted &= written;
    auto *block = llvm::BasicBlock::Create(build_.getContext(), "leave", context_.frame.function);
    exits_[to] = {block, std::move(wanted)};
  };
  const llvm::BitVector nothing(cells.all().size());
  for (llvm::BasicBlock *block : where_.blocks) {
    if (context_.graph.is_group_branch(block)) {
      llvm::BitVector wanted = nothing;
      for (llvm::BasicBlock *target : llvm::successors(block)) wanted |= cells.live().at_start(target);
      if (int condition = cells.condition_of(block); condition >= 0) wanted.set(condition);
      add({nullptr, block}, wanted);
    } else if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
      add({nullptr, nullptr}, nothing);
    } else {
      for (llvm::BasicBlock *target : llvm::successors(block))
        if (context_.graph.is_head(target)) add({target, nullptr}, cells.live().at_start(target));
    }
  }
}

// Anything but computing values that are the same for all work-items.
bool region_code::has_effect(const llvm::Instruction &instruction) const {
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    if (auto found = context_.memory.cell_of.find(store->getPointerOperand()); found != context_.memory.cell_of.end()) {
      if (context_.cells.all()[found->second].uniform) return false;
      return llvm::any_of(exits_, [&](const auto &exit) { return exit.second.kept[found->second]; });
    }
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic()) return false;
  return instruction.mayHaveSideEffects() && !context_.memory.is_passing_write(instruction);
}

void region_code::map_names() {
  const work_item_function &item = context_.item;
  const entry_frame &frame = context_.frame;
  copies_[item.arguments] = frame.arguments;
  copies_[item.dynamic_local] = frame.dynamic_local;
  copies_[item.static_local] = frame.static_local;
  copies_[item.scratch] = frame.scratch;
  for (int d = 0; d < 3; ++d) {
    copies_[item.group_id[d]] = context_.group_id[d];
    copies_[item.group_count[d]] = frame.group_count[d];
    copies_[item.offset[d]] = frame.offset[d];
  }
  copies_[item.sub_group] = context_.sub_group ? context_.sub_group : llvm::PoisonValue::get(item.sub_group->getType());
  for (llvm::AllocaInst *variable : context_.memory.passing) copies_[variable] = variable;
}

/// Whether work-items take a value from one array to the other, also those that have no new one.
bool region_code::moves_shown() const {
  const shown_in_region *here = with_shown();
  const auto kept = [&](const auto &exit) { return exit.second.kept[context_.memory.shown.cell]; };
  return here && here->reads_shown && llvm::any_of(exits_, kept);
}

void region_code::open_loops() {
  const work_item_function &item = context_.item;
  const auto effect = [&](const llvm::Instruction &instruction) { return has_effect(instruction); };
  // Whether all leave the same way, only all can tell.
  const bool all = checks_ways() || moves_shown();
  const auto sole = all ? std::nullopt : sole_item(where_, item, context_.dominators, effect);
  const auto extent = item.extent();
  for (int d = 2; d >= 0; --d) {
    if (sole || extent[d] == 1) {
      local_id_[d] = build_.getInt64(sole ? (*sole)[d] : 0);
      continue;
    }
    llvm::Value *end = build_.getInt64(extent[d]);
    if (item.counts == counted::lanes) {
      end = lanes_of(build_, item.sub_groups, context_.sub_group);
      context_.lane_counts->push_back(end);
    } else if (d == 0 && loops_.empty() && !all) {
      llvm::Value *fewer = first_items(build_, where_, context_, extent[0], effect,
                                       [&](llvm::Value *argument) { return copies_.lookup(argument); });
      if (fewer) end = fewer;
    }
    loops_.push_back(open_loop(build_, build_.getInt64(0), end, "item." + llvm::Twine(d)));
    local_id_[d] = loops_.back().index;
  }
  llvm::Value *row = build_.CreateNUWAdd(build_.CreateNUWMul(local_id_[2], build_.getInt64(extent[1])), local_id_[1]);
  linear_id_ = build_.CreateNUWAdd(build_.CreateNUWMul(row, build_.getInt64(extent[0])), local_id_[0]);
  item_done_ = loops_.empty() ? llvm::BasicBlock::Create(build_.getContext(), "done", context_.frame.function)
                              : loops_.back().latch;
  for (int d = 0; d < 3; ++d) copies_[item.local_id[d]] = local_id_[d];
  for (const auto &[variable, place] : context_.memory.kept_for_each) {
    llvm::Value *address = place.address(build_, context_.frame, linear_id_);
    copies_[variable] = address;
    show_to_debuggers(*variable, address);
  }
}

/// A variable that is kept between regions is at another address in each.
void region_code::show_to_debuggers(llvm::AllocaInst &variable, llvm::Value *address) {
  for (llvm::DbgVariableRecord *declared : llvm::findDVRDeclares(&variable)) {
    auto *here = static_cast<llvm::DbgVariableRecord *>(declared->clone());
    here->replaceVariableLocationOp(&variable, address);
    build_.GetInsertBlock()->insertDbgRecordBefore(here, build_.GetInsertPoint());
  }
}

void region_code::load_cells() {
  const auto &live = context_.cells.live().at_start(where_.head);
  for (llvm::BasicBlock *block : where_.blocks)
    for (llvm::Instruction &instruction : *block)
      if (const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction))
        if (auto found = context_.memory.cell_of.find(address); found != context_.memory.cell_of.end())
          own_.insert({found->second, nullptr});
  for (auto &[number, own] : own_) {
    const cell &each = context_.cells.all()[number];
    llvm::Type *type = each.variable->getAllocatedType();
    own = variable(type, each.variable->getName());
    copies_[each.variable] = own;
    if (!live[number]) continue;
    llvm::Value *value = nullptr;
    if (each.uniform) {
      // Read once, before the first work-item may write it for what comes after the region.
      llvm::IRBuilder<> before(build_.getContext());
      if (loops_.empty()) {
        before.SetInsertPoint(build_.GetInsertBlock(), build_.GetInsertPoint());
      } else {
        before.SetInsertPoint(loops_.front().index->getIncomingBlock(0)->getTerminator());
      }
      value = before.CreateLoad(type, context_.memory.shared[number]);
    } else {
      value = context_.memory.slots[number].load(build_, slots_of(number, false), linear_id_);
    }
    build_.CreateStore(value, own);
  }
}

void region_code::copy_blocks() {
  llvm::Function *function = context_.frame.function;
  for (llvm::BasicBlock *block : where_.blocks) copies_[block] = llvm::CloneBasicBlock(block, copies_, "", function);
  for (auto &[to, exit] : exits_) copies_[exit.block] = exit.block;
  mark_accesses(*build_.GetInsertBlock());  // of slots
  build_.CreateBr(llvm::cast<llvm::BasicBlock>(copies_[where_.head]));

  for (llvm::BasicBlock *block : where_.blocks) {
    auto *copy = llvm::cast<llvm::BasicBlock>(copies_[block]);
    for (llvm::PHINode &phi : copy->phis())
      phi.removeIncomingValueIf(
          [&](unsigned i) {
            llvm::BasicBlock *before = phi.getIncomingBlock(i);
            return !where_.blocks.contains(before) || context_.graph.is_group_branch(before);
          },
          /*DeletePHIIfEmpty=*/false);
    llvm::Instruction *end = copy->getTerminator();
    if (context_.graph.is_group_branch(block) || llvm::isa<llvm::ReturnInst>(end)) {
      const successor to = context_.graph.is_group_branch(block) ? successor(nullptr, block) : successor();
      end->eraseFromParent();
      llvm::BranchInst::Create(exits_.find(to)->second.block, copy);
    } else {
      for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
        if (llvm::BasicBlock *target = end->getSuccessor(i); context_.graph.is_head(target))
          end->setSuccessor(i, exits_.find({target, nullptr})->second.block);
    }
    for (llvm::Instruction &instruction : *copy) {
      llvm::RemapDbgRecordRange(function->getParent(), instruction.getDbgRecordRange(), copies_,
                                llvm::RF_NoModuleLevelChanges);
      llvm::RemapInstruction(&instruction, copies_, llvm::RF_NoModuleLevelChanges);
    }
    mark_accesses(*copy);
  }
}

void region_code::mark_accesses(llvm::BasicBlock &block) {
  if (context_.item.counts == counted::sub_groups) return;
  for (llvm::Instruction &instruction : block) {
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    const llvm::Value *variable = address ? llvm::getUnderlyingObject(address) : nullptr;
    if (variable && context_.memory.on_stack.contains(variable))
      put_own_access_in_group(instruction, accesses_);
    else
      put_in_access_group(instruction, accesses_, context_.memory.private_escapes);
  }
}

void region_code::keep_cells() {
  const bool several = exits_.size() > 1;
  if (several) taken_ = variable(build_.getInt32Ty(), "taken");
  llvm::BasicBlock *parted = several ? before_check() : nullptr;
  unsigned exit_number = 0;
  for (auto &[to, exit] : exits_) {
    build_.SetInsertPoint(exit.block);
    for (unsigned number : exit.kept.set_bits()) {
      const cell &each = context_.cells.all()[number];
      llvm::Value *value = build_.CreateLoad(each.variable->getAllocatedType(), own_.lookup(number));
      if (each.uniform)
        build_.CreateStore(value, context_.memory.shared[number]);
      else
        context_.memory.slots[number].store(build_, slots_of(number, true), linear_id_, value);
    }
    mark_accesses(*exit.block);
    if (parted) {
      llvm::Value *others = build_.CreateLoad(build_.getInt32Ty(), taken_);
      llvm::Value *same = build_.CreateOr(build_.CreateICmpEQ(others, build_.getInt32(exit_number)),
                                          build_.CreateICmpEQ(others, build_.getInt32(nobody)));
      auto *fine = llvm::BasicBlock::Create(build_.getContext(), "together", context_.frame.function);
      build_.CreateCondBr(same, fine, parted);
      build_.SetInsertPoint(fine);
    }
    if (several) build_.CreateStore(build_.getInt32(exit_number++), taken_);
    build_.CreateBr(item_done_);
  }
}

bool region_code::checks_ways() const { return context_.item.checked && exits_.size() > 1; }

/// With checks, what items do that leave another way than those before them; else null.
llvm::BasicBlock *region_code::before_check() {
  if (!checks_ways() || loops_.empty()) return nullptr;
  llvm::IRBuilder<> before(loops_.front().index->getIncomingBlock(0)->getTerminator());
  before.CreateStore(before.getInt32(nobody), taken_);
  llvm::SmallVector<llvm::BasicBlock *> heads;
  for (const auto &[to, exit] : exits_) heads.push_back(to.second ? to.second : to.first);
  auto *parted = llvm::BasicBlock::Create(build_.getContext(), "parted", context_.frame.function);
  llvm::IRBuilder<> there(parted);
  report_parted_ways(there, heads, context_.barriers);
  return parted;
}

void region_code::close_loops() {
  for (std::size_t i = loops_.size(); i-- > 1;) llvm::BranchInst::Create(loops_[i - 1].latch, loops_[i].done);
  // Within a sub-group's code the loops over its lanes are parallel, so that is enough.
  const bool lanes = context_.item.counts == counted::lanes;
  if (!loops_.empty() && context_.item.counts != counted::sub_groups)
    mark_parallel(loops_.back(), accesses_, lanes ? context_.item.sub_groups.size : 0);
  if (loops_.size() > 1 && context_.item.counts == counted::work_items) mark_rows(loops_[loops_.size() - 2]);
  build_.SetInsertPoint(loops_.empty() ? item_done_ : loops_.front().done);
}

void region_code::go_on() {
  if (exits_.empty()) {  // it never ends
    build_.CreateUnreachable();
    return;
  }
  if (!taken_) {
    build_.CreateBr(continuation(exits_.begin()->first));
    return;
  }
  // All work-items have left the same way, or the program is wrong; so the last one's way is the group's.
  llvm::BasicBlock *here = build_.GetInsertBlock();
  llvm::Value *taken = build_.CreateLoad(build_.getInt32Ty(), taken_);
  llvm::SmallVector<llvm::BasicBlock *> ways;
  for (const auto &[to, exit] : exits_) ways.push_back(continuation(to));
  build_.SetInsertPoint(here);
  llvm::SwitchInst *choice = build_.CreateSwitch(taken, ways.front(), static_cast<unsigned>(ways.size() - 1));
  for (unsigned i = 1; i < ways.size(); ++i) choice->addCase(build_.getInt32(i), ways[i]);
}

llvm::BasicBlock *region_code::continuation(const successor &to) {
  const auto &[head, group_branch] = to;
  if (head) return context_.start_of(head);
  if (!group_branch) return context_.finished;
  auto *block = llvm::BasicBlock::Create(build_.getContext(), "branch", context_.frame.function);
  llvm::IRBuilder<> at(block);
  llvm::Instruction *branch = group_branch->getTerminator()->clone();
  llvm::Value *condition = branch->getOperand(0);
  if (int number = context_.cells.condition_of(group_branch); number >= 0)
    condition = at.CreateLoad(condition->getType(), context_.memory.shared[number]);
  else if (!llvm::isa<llvm::Constant>(condition))
    condition = copies_.lookup(condition);
  branch->setOperand(0, condition);
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    branch->setSuccessor(i, context_.start_of(branch->getSuccessor(i)));
  at.Insert(branch);
  return block;
}

}  // namespace dpep::jit::spmd
