// The emission of a region's code.
#include "jit/spmd/region_emitter.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jit/spmd/active_prefix.hpp"
#include "jit/spmd/barrier_check.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/shuffles.hpp"
#include "jit/spmd/single_item_region.hpp"
#include "jit/spmd/spill_slots.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr std::uint32_t no_exit = ~std::uint32_t{0};  // no work-item has left the region yet

}  // namespace

region_emitter::region_emitter(const group_context &context, const region &code)
    : context_(context), region_(code), build_(context.item.function->getContext()) {}

void region_emitter::emit(llvm::BasicBlock *start) {
  build_.SetInsertPoint(start);
  access_group_ = llvm::MDNode::getDistinct(build_.getContext(), {});
  emit_group_barrier();
  start_lane_lifetimes();
  const auto *found = llvm::find_if(context_.shuffles, [&](const shuffle &each) { return each.block == region_.head; });
  if (found != context_.shuffles.end()) {
    found->emit(build_, context_.memory);
    build_.CreateBr(context_.start_of(region_.head->getSingleSuccessor()));
    return;
  }
  find_exits();
  map_arguments();
  open_loops();
  load_slots();
  copy_blocks();
  store_slots();
  close_loops();
  publish();
  branch_to_successor();
}

/// Returns the promoted array's use in this region if the array is double-buffered, else null.
const region_promotion *region_emitter::double_buffering() const {
  return context_.memory.promoted.pending ? &context_.slots.promotion()->regions.find(region_.head)->second : nullptr;
}

/// Swaps the arrays: other work-items read this region's values from now on.
void region_emitter::publish() {
  const region_promotion *promotion = double_buffering();
  if (!promotion || !promotion->publishes) return;
  const auto &[slot, published, pending] = context_.memory.promoted;
  llvm::Value *previous = build_.CreateLoad(published->getAllocatedType(), published);
  build_.CreateStore(build_.CreateLoad(pending->getAllocatedType(), pending), published);
  build_.CreateStore(previous, pending);
}

/// Emits the address of the array with the slot's values.
llvm::Value *region_emitter::item_array_start(unsigned slot, bool to_store) {
  const auto &promoted = context_.memory.promoted;
  const region_promotion *promotion = slot == promoted.slot ? double_buffering() : nullptr;
  if (!promotion) return context_.memory.item_arrays[slot].start(build_, context_.frame);
  llvm::AllocaInst *address = promotion->reads_published && !to_store ? promoted.published : promoted.pending;
  return build_.CreateLoad(address->getAllocatedType(), address);
}

llvm::AllocaInst *region_emitter::make_variable(llvm::Type *type, const llvm::Twine &name) {
  auto *made = new llvm::AllocaInst(type, 0, name, context_.frame.function->getEntryBlock().begin());
  context_.promotable.push_back(made);
  return made;
}

/// Emits the work-group's part of a barrier in a sub-group's code: the lanes have reached it, and the sub-group waits
/// for the group's other sub-groups.
void region_emitter::emit_group_barrier() {
  if (context_.item.unit != local_id_unit::lanes || context_.item.sub_groups.count == 1) return;
  const auto *here = llvm::find_if(context_.barriers, [&](const barrier &b) { return b.block == region_.head; });
  if (here == context_.barriers.end() || !here->whole_group) return;
  llvm::Module *module = context_.frame.function->getParent();
  llvm::CallInst *wait = build_.CreateCall(module->getOrInsertFunction("__dpep_group_barrier", build_.getVoidTy()));
  wait->setDebugLoc(here->location);
}

/// Starts the lifetimes of a sub-group's stack arrays whose values are dead, so that they need not be kept for each
/// sub-group across the work-group's barriers.
void region_emitter::start_lane_lifetimes() {
  if (context_.item.unit != local_id_unit::lanes) return;
  llvm::BitVector dead(context_.slots.all().size());
  for (llvm::BasicBlock *block : region_.blocks) dead |= context_.slots.live().written_in(block);
  dead.reset(context_.slots.live().at_start(region_.head));
  for (unsigned number : dead.set_bits())
    if (llvm::AllocaInst *lanes = context_.memory.item_arrays[number].on_stack()) build_.CreateLifetimeStart(lanes);
}

void region_emitter::find_exits() {
  const auto &slots = context_.slots;
  llvm::BitVector written(slots.all().size());
  for (llvm::BasicBlock *block : region_.blocks) written |= slots.live().written_in(block);
  const auto add = [&](const successor &to, llvm::BitVector live) {
    if (exits_.contains(to)) return;
    live &= written;
    auto *block = llvm::BasicBlock::Create(build_.getContext(), "leave", context_.frame.function);
    exits_[to] = {block, std::move(live)};
  };
  const llvm::BitVector nothing(slots.all().size());
  for (llvm::BasicBlock *block : region_.blocks) {
    if (context_.graph.is_group_branch(block)) {
      llvm::BitVector live = nothing;
      for (llvm::BasicBlock *target : llvm::successors(block)) live |= slots.live().at_start(target);
      if (int condition = slots.condition_slot_of(block); condition >= 0) live.set(condition);
      add({nullptr, block}, live);
    } else if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
      add({nullptr, nullptr}, nothing);
    } else {
      for (llvm::BasicBlock *target : llvm::successors(block))
        if (context_.graph.is_head(target)) add({target, nullptr}, slots.live().at_start(target));
    }
  }
}

/// Whether the instruction does anything but compute uniform values.
bool region_emitter::has_effect(const llvm::Instruction &instruction) const {
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    if (auto found = context_.memory.slot_number_of.find(store->getPointerOperand());
        found != context_.memory.slot_number_of.end()) {
      if (context_.slots.all()[found->second].uniform) return false;
      return llvm::any_of(exits_, [&](const auto &exit) { return exit.second.live_out[found->second]; });
    }
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic()) return false;
  return instruction.mayHaveSideEffects() && !context_.memory.is_reused_private_write(instruction);
}

void region_emitter::map_arguments() {
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
  for (llvm::AllocaInst *variable : context_.memory.reused_variables) copies_[variable] = variable;
}

/// Whether every work-item must copy its value from the published to the pending array, also without a new one.
bool region_emitter::copies_pending_values() const {
  const region_promotion *promotion = double_buffering();
  const auto is_live_out = [&](const auto &exit) { return exit.second.live_out[context_.memory.promoted.slot]; };
  return promotion && promotion->reads_published && llvm::any_of(exits_, is_live_out);
}

void region_emitter::open_loops() {
  const work_item_function &item = context_.item;
  const auto effect = [&](const llvm::Instruction &instruction) { return has_effect(instruction); };
  // The check that all work-items take the same exit needs all of them.
  const bool all = checks_exits() || copies_pending_values();
  const auto single = all ? std::nullopt : single_active_item(region_, item, context_.dominators, effect);
  const auto extent = item.extent();
  for (const unsigned d : llvm::reverse(context_.order)) {
    if (single || extent[d] == 1) {
      local_id_[d] = build_.getInt64(single ? (*single)[d] : 0);
      continue;
    }
    llvm::Value *end = build_.getInt64(extent[d]);
    if (item.unit == local_id_unit::lanes) {
      end = emit_lane_count(build_, item.sub_groups, context_.sub_group);
      context_.lane_counts->push_back(end);
    } else if (d == 0 && context_.order[0] == 0 && loops_.empty() && !all) {
      llvm::Value *prefix = active_prefix_length(build_, region_, context_, extent[0], effect,
                                                 [&](llvm::Value *argument) { return copies_.lookup(argument); });
      if (prefix) end = prefix;
    }
    loops_.push_back(open_loop(build_, build_.getInt64(0), end, "item." + llvm::Twine(d)));
    local_id_[d] = loops_.back().index;
  }
  llvm::Value *row = build_.CreateNUWAdd(build_.CreateNUWMul(local_id_[2], build_.getInt64(extent[1])), local_id_[1]);
  linear_id_ = build_.CreateNUWAdd(build_.CreateNUWMul(row, build_.getInt64(extent[0])), local_id_[0]);
  item_done_ = loops_.empty() ? llvm::BasicBlock::Create(build_.getContext(), "done", context_.frame.function)
                              : loops_.back().latch;
  for (int d = 0; d < 3; ++d) copies_[item.local_id[d]] = local_id_[d];
  for (const auto &[variable, array] : context_.memory.kept_variables) {
    llvm::Value *address = array.address(build_, context_.frame, linear_id_);
    copies_[variable] = address;
    declare_to_debugger(*variable, address);
  }
}

/// The address of a kept private variable is another value in each region.
void region_emitter::declare_to_debugger(llvm::AllocaInst &variable, llvm::Value *address) {
  for (llvm::DbgVariableRecord *declared : llvm::findDVRDeclares(&variable)) {
    auto *here = static_cast<llvm::DbgVariableRecord *>(declared->clone());
    here->replaceVariableLocationOp(&variable, address);
    build_.GetInsertBlock()->insertDbgRecordBefore(here, build_.GetInsertPoint());
  }
}

void region_emitter::load_slots() {
  const auto &live = context_.slots.live().at_start(region_.head);
  for (llvm::BasicBlock *block : region_.blocks)
    for (llvm::Instruction &instruction : *block)
      if (const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction))
        if (auto found = context_.memory.slot_number_of.find(address); found != context_.memory.slot_number_of.end())
          item_values_.insert({found->second, nullptr});
  for (auto &[number, item_value] : item_values_) {
    const spill_slot &each = context_.slots.all()[number];
    llvm::Type *type = each.variable->getAllocatedType();
    item_value = make_variable(type, each.variable->getName());
    copies_[each.variable] = item_value;
    if (!live[number]) continue;
    llvm::Value *value = nullptr;
    if (each.uniform) {
      // Loaded once, before the first work-item may store the value for later regions.
      llvm::IRBuilder<> before(build_.getContext());
      if (loops_.empty()) {
        before.SetInsertPoint(build_.GetInsertBlock(), build_.GetInsertPoint());
      } else {
        before.SetInsertPoint(loops_.front().index->getIncomingBlock(0)->getTerminator());
      }
      value = before.CreateLoad(type, context_.memory.uniform_variables[number]);
    } else {
      value = context_.memory.item_arrays[number].load(build_, item_array_start(number, false), linear_id_);
    }
    build_.CreateStore(value, item_value);
  }
}

void region_emitter::copy_blocks() {
  llvm::Function *function = context_.frame.function;
  for (llvm::BasicBlock *block : region_.blocks) copies_[block] = llvm::CloneBasicBlock(block, copies_, "", function);
  for (auto &[to, exit] : exits_) copies_[exit.block] = exit.block;
  mark_accesses(*build_.GetInsertBlock());  // of item arrays
  build_.CreateBr(llvm::cast<llvm::BasicBlock>(copies_[region_.head]));

  for (llvm::BasicBlock *block : region_.blocks) {
    auto *copy = llvm::cast<llvm::BasicBlock>(copies_[block]);
    for (llvm::PHINode &phi : copy->phis())
      phi.removeIncomingValueIf(
          [&](unsigned i) {
            llvm::BasicBlock *before = phi.getIncomingBlock(i);
            return !region_.blocks.contains(before) || context_.graph.is_group_branch(before);
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

void region_emitter::mark_accesses(llvm::BasicBlock &block) {
  if (context_.item.unit == local_id_unit::sub_groups) return;
  for (llvm::Instruction &instruction : block) {
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    const llvm::Value *variable = address ? llvm::getUnderlyingObject(address) : nullptr;
    if (variable && context_.memory.stack_arrays.contains(variable))
      put_private_access_in_group(instruction, access_group_);
    else
      put_in_access_group(instruction, access_group_, context_.memory.private_escapes);
  }
}

void region_emitter::store_slots() {
  const bool several = exits_.size() > 1;
  if (several) exit_number_ = make_variable(build_.getInt32Ty(), "exit.number");
  llvm::BasicBlock *divergent = several ? make_divergence_check() : nullptr;
  unsigned number_of_exit = 0;
  for (auto &[to, exit] : exits_) {
    build_.SetInsertPoint(exit.block);
    for (unsigned number : exit.live_out.set_bits()) {
      const spill_slot &each = context_.slots.all()[number];
      llvm::Value *value = build_.CreateLoad(each.variable->getAllocatedType(), item_values_.lookup(number));
      if (each.uniform)
        build_.CreateStore(value, context_.memory.uniform_variables[number]);
      else
        context_.memory.item_arrays[number].store(build_, item_array_start(number, true), linear_id_, value);
    }
    mark_accesses(*exit.block);
    if (divergent) {
      llvm::Value *others = build_.CreateLoad(build_.getInt32Ty(), exit_number_);
      llvm::Value *same = build_.CreateOr(build_.CreateICmpEQ(others, build_.getInt32(number_of_exit)),
                                          build_.CreateICmpEQ(others, build_.getInt32(no_exit)));
      auto *convergent = llvm::BasicBlock::Create(build_.getContext(), "convergent", context_.frame.function);
      build_.CreateCondBr(same, convergent, divergent);
      build_.SetInsertPoint(convergent);
    }
    if (several) build_.CreateStore(build_.getInt32(number_of_exit++), exit_number_);
    build_.CreateBr(item_done_);
  }
}

bool region_emitter::checks_exits() const { return context_.item.checked && exits_.size() > 1; }

/// Returns the block that reports a work-item which takes another exit than those before it; null without checks.
llvm::BasicBlock *region_emitter::make_divergence_check() {
  if (!checks_exits() || loops_.empty()) return nullptr;
  llvm::IRBuilder<> before(loops_.front().index->getIncomingBlock(0)->getTerminator());
  before.CreateStore(before.getInt32(no_exit), exit_number_);
  llvm::SmallVector<llvm::BasicBlock *> heads;
  for (const auto &[to, exit] : exits_) heads.push_back(to.second ? to.second : to.first);
  auto *divergent = llvm::BasicBlock::Create(build_.getContext(), "divergent", context_.frame.function);
  llvm::IRBuilder<> build(divergent);
  report_divergent_exit(build, heads, context_.barriers);
  return divergent;
}

void region_emitter::close_loops() {
  for (std::size_t i = loops_.size(); i-- > 1;) llvm::BranchInst::Create(loops_[i - 1].latch, loops_[i].done);
  // The loops over sub-groups are not marked: it is enough that those over their lanes are parallel.
  const bool lanes = context_.item.unit == local_id_unit::lanes;
  if (!loops_.empty() && context_.item.unit != local_id_unit::sub_groups)
    mark_parallel(loops_.back(), access_group_, lanes ? context_.item.sub_groups.size : 0);
  if (loops_.size() > 1 && context_.item.unit == local_id_unit::work_items) mark_rows(loops_[loops_.size() - 2]);
  build_.SetInsertPoint(loops_.empty() ? item_done_ : loops_.front().done);
}

void region_emitter::branch_to_successor() {
  if (exits_.empty()) {  // an endless loop
    build_.CreateUnreachable();
    return;
  }
  if (!exit_number_) {
    build_.CreateBr(successor_block(exits_.begin()->first));
    return;
  }
  // In a correct program, all work-items take the same exit; so the last one's exit is the group's.
  llvm::BasicBlock *here = build_.GetInsertBlock();
  llvm::Value *number = build_.CreateLoad(build_.getInt32Ty(), exit_number_);
  llvm::SmallVector<llvm::BasicBlock *> targets;
  for (const auto &[to, exit] : exits_) targets.push_back(successor_block(to));
  build_.SetInsertPoint(here);
  llvm::SwitchInst *choice = build_.CreateSwitch(number, targets.front(), static_cast<unsigned>(targets.size() - 1));
  for (unsigned i = 1; i < targets.size(); ++i) choice->addCase(build_.getInt32(i), targets[i]);
}

llvm::BasicBlock *region_emitter::successor_block(const successor &to) {
  const auto &[head, group_branch] = to;
  if (head) return context_.start_of(head);
  if (!group_branch) return context_.return_block;
  auto *block = llvm::BasicBlock::Create(build_.getContext(), "branch", context_.frame.function);
  llvm::IRBuilder<> at(block);
  llvm::Instruction *branch = group_branch->getTerminator()->clone();
  llvm::Value *condition = branch->getOperand(0);
  if (int number = context_.slots.condition_slot_of(group_branch); number >= 0)
    condition = at.CreateLoad(condition->getType(), context_.memory.uniform_variables[number]);
  else if (!llvm::isa<llvm::Constant>(condition))
    condition = copies_.lookup(condition);
  branch->setOperand(0, condition);
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    branch->setSuccessor(i, context_.start_of(branch->getSuccessor(i)));
  at.Insert(branch);
  return block;
}

}  // namespace dpep::jit::spmd
