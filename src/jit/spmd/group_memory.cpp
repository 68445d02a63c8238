// Allocation of storage for work-items' variables.
#include "jit/spmd/group_memory.hpp"

#include <numeric>
#include <vector>

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/element_accesses.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/private_variables.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/spill_slots.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {
namespace {

/// Returns the array of a private variable's copies. If the variable is accessed in elements of one size and is not
/// declared to a debugger, equal elements of neighbouring work-items are neighbours.
item_array array_for(work_item_function &item, const entry_frame &frame, llvm::AllocaInst &variable) {
  const std::size_t bytes = variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
  const element_accesses accesses(variable, [](const llvm::Instruction &) { return true; });
  if (!accesses.element_size() || !accesses.fills().empty() || !llvm::findDVRDeclares(&variable).empty())
    return item_array(item, frame, bytes, variable.getAlign());
  interleave_elements(accesses, item.count());
  return item_array(item, frame, accesses.element_type(), llvm::divideCeil(bytes, accesses.element_size()));
}

/// For each slot, the slots that may not use the same array: those that a region touches beside it. A region touches
/// the slots that are live at its start, which it may leave as they are for a later region, and those that it writes,
/// also if they are dead on the way that the group takes after it: a group branch is taken after the slots were stored.
/// Therefore no region stores one of two slots that are apart while the other one's values are still needed.
std::vector<llvm::BitVector> slots_touched_together(const region_graph &graph, const spill_slots &slots) {
  const auto count = static_cast<unsigned>(slots.all().size());
  std::vector<llvm::BitVector> together(count, llvm::BitVector(count));
  for (const region &each : graph.regions()) {
    llvm::BitVector touched = slots.live().at_start(each.head);
    for (llvm::BasicBlock *block : each.blocks) touched |= slots.live().written_in(block);
    for (const unsigned slot : touched.set_bits()) together[slot] |= touched;
  }
  return together;
}

/// For each slot, the first one of its type whose array it uses. A scan that is unrolled has a slot for each step, and
/// the arrays of them all would exceed the first-level cache.
std::vector<unsigned> shared_arrays(const work_item_function &item, const region_graph &graph,
                                    const spill_slots &slots) {
  const auto count = static_cast<unsigned>(slots.all().size());
  std::vector<unsigned> array_of(count);
  std::iota(array_of.begin(), array_of.end(), 0U);
  if (item.unit == local_id_unit::lanes) return array_of;  // their arrays become registers
  const auto may_share = [&](unsigned slot) {
    const bool is_promoted = slots.promotion() && slots.promotion()->variable == slots.all()[slot].variable;
    return !slots.all()[slot].uniform && !is_promoted;
  };
  const std::vector<llvm::BitVector> together = slots_touched_together(graph, slots);
  std::vector<llvm::BitVector> users(count, llvm::BitVector(count));  // by the array's first slot
  for (unsigned slot = 0; slot < count; ++slot) {
    const llvm::Type *type = slots.all()[slot].variable->getAllocatedType();
    for (unsigned first = 0; first < slot && array_of[slot] == slot && may_share(slot); ++first)
      if (array_of[first] == first && may_share(first) && slots.all()[first].variable->getAllocatedType() == type &&
          !together[slot].anyCommon(users[first]))
        array_of[slot] = first;
    users[array_of[slot]].set(slot);
  }
  return array_of;
}

}  // namespace

group_memory::group_memory(work_item_function &item, const entry_frame &frame, const region_graph &graph,
                           const spill_slots &slots) {
  llvm::BasicBlock &entry = frame.function->getEntryBlock();
  const std::vector<unsigned> array_of = shared_arrays(item, graph, slots);
  for (const spill_slot &each : slots.all()) {
    slot_number_of[each.variable] = static_cast<unsigned>(uniform_variables.size());
    llvm::Type *type = each.variable->getAllocatedType();
    uniform_variables.push_back(each.uniform ? new llvm::AllocaInst(type, 0, each.variable->getName(), entry.begin())
                                             : nullptr);
    const bool is_promoted = slots.promotion() && slots.promotion()->variable == each.variable;
    const unsigned number = slot_number_of.lookup(each.variable);
    if (is_promoted) {
      item_arrays.push_back(item_array(item, frame, type, slots.promotion()->double_buffered ? 2 : 1));
    } else if (array_of[number] != number) {
      item_arrays.push_back(item_arrays[array_of[number]]);
    } else {
      item_arrays.push_back(each.uniform ? item_array() : item_array(item, frame, type));
    }
  }
  if (slots.promotion()) {
    promoted.slot = slot_number_of.lookup(slots.promotion()->variable);
    promoted.published = uniform_variables[slot_number_of.lookup(slots.promotion()->published)];
    llvm::Type *pointer = promoted.published->getAllocatedType();
    if (slots.promotion()->double_buffered)
      promoted.pending = new llvm::AllocaInst(pointer, 0, "pending", entry.begin());
  }
  std::vector<llvm::AllocaInst *> variables;  // collected first, since markers after them are erased below
  for (llvm::Instruction &instruction : item.function->getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
  for (llvm::AllocaInst *variable : variables) {
    if (slot_number_of.contains(variable)) continue;
    if (outlives_region(*variable, *item.function, graph)) {
      for (llvm::User *user : llvm::make_early_inc_range(variable->users()))
        if (auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(user); marker && marker->isLifetimeStartOrEnd())
          marker->eraseFromParent();  // allowed for stack variables only
      kept_variables.emplace_back(variable, array_for(item, frame, *variable));
    } else {
      reused_variables.push_back(variable);
      private_escapes |= llvm::PointerMayBeCaptured(variable, /*ReturnCaptures=*/true);
    }
  }
  for (const item_array &each : item_arrays)
    if (each.on_stack()) stack_arrays.insert(each.on_stack());
  for (const auto &[variable, array] : kept_variables)
    if (array.on_stack()) stack_arrays.insert(array.on_stack());
  for (llvm::AllocaInst *variable : reused_variables) variable->moveBefore(entry, entry.begin());
  for (auto &[variable, array] : kept_variables) variable->moveBefore(entry, entry.begin());
  for (const spill_slot &each : slots.all()) each.variable->moveBefore(entry, entry.begin());
}

void group_memory::initialise(llvm::IRBuilder<> &build, const entry_frame &frame,
                              const work_item_function &item) const {
  if (!promoted.published) return;
  llvm::Value *start = item_arrays[promoted.slot].start(build, frame);
  build.CreateStore(start, promoted.published);
  if (!promoted.pending) return;
  build.CreateStore(item_arrays[promoted.slot].address(build, frame, build.getInt64(item.count())), promoted.pending);
}

bool group_memory::is_reused_private_write(const llvm::Instruction &instruction) const {
  const llvm::Value *target = nullptr;
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple())
    target = store->getPointerOperand();
  else if (auto *fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction); fill && !fill->isVolatile())
    target = fill->getRawDest();
  return target && llvm::is_contained(reused_variables, llvm::getUnderlyingObject(target));
}

}  // namespace dpep::jit::spmd
