// Placing variables.
#include "jit/spmd/group_memory.hpp"

#include <vector>

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/cells.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/part_accesses.hpp"
#include "jit/spmd/private_variables.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {
namespace {

/// Neighbours' parts are neighbours where the variable is accessed part by part, and no debugger wants to see it.
slot place_for(work_item_function &item, const entry_frame &frame, llvm::AllocaInst &variable) {
  const std::size_t bytes = variable.getAllocationSize(variable.getDataLayout())->getFixedValue();
  const part_accesses accesses(variable, [](const llvm::Instruction &) { return true; });
  if (!accesses.granule() || !accesses.fills().empty() || !llvm::findDVRDeclares(&variable).empty())
    return slot(item, frame, bytes, variable.getAlign());
  spread_parts(accesses, item.count());
  return slot(item, frame, accesses.part(), llvm::divideCeil(bytes, accesses.granule()));
}

}  // namespace

group_memory::group_memory(work_item_function &item, const entry_frame &frame, const region_graph &graph,
                           const value_cells &cells) {
  llvm::BasicBlock &entry = frame.function->getEntryBlock();
  for (const cell &each : cells.all()) {
    cell_of[each.variable] = static_cast<unsigned>(shared.size());
    llvm::Type *type = each.variable->getAllocatedType();
    shared.push_back(each.uniform ? new llvm::AllocaInst(type, 0, each.variable->getName(), entry.begin()) : nullptr);
    const bool is_shown = cells.shown() && cells.shown()->variable == each.variable;
    if (is_shown) {
      slots.push_back(slot(item, frame, type, cells.shown()->take_turns ? 2 : 1));
    } else {
      slots.push_back(each.uniform ? slot() : slot(item, frame, type));
    }
  }
  if (cells.shown()) {
    shown.cell = cell_of.lookup(cells.shown()->variable);
    shown.shown = shared[cell_of.lookup(cells.shown()->place)];
    llvm::Type *pointer = shown.shown->getAllocatedType();
    if (cells.shown()->take_turns) shown.other = new llvm::AllocaInst(pointer, 0, "not.shown", entry.begin());
  }
  std::vector<llvm::AllocaInst *> variables;  // first, since markers after them are erased below
  for (llvm::Instruction &instruction : item.function->getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
  for (llvm::AllocaInst *variable : variables) {
    if (cell_of.contains(variable)) continue;
    if (outlives_region(*variable, *item.function, graph)) {
      for (llvm::User *user : llvm::make_early_inc_range(variable->users()))
        if (auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(user); marker && marker->isLifetimeStartOrEnd())
          marker->eraseFromParent();  // only stack variables may have them
      kept_for_each.emplace_back(variable, place_for(item, frame, *variable));
    } else {
      passing.push_back(variable);
      private_escapes |= llvm::PointerMayBeCaptured(variable, /*ReturnCaptures=*/true);
    }
  }
  for (const slot &each : slots)
    if (each.on_stack()) on_stack.insert(each.on_stack());
  for (const auto &[variable, place] : kept_for_each)
    if (place.on_stack()) on_stack.insert(place.on_stack());
  for (llvm::AllocaInst *variable : passing) variable->moveBefore(entry, entry.begin());
  for (auto &[variable, place] : kept_for_each) variable->moveBefore(entry, entry.begin());
  for (const cell &each : cells.all()) each.variable->moveBefore(entry, entry.begin());
}

void group_memory::begin(llvm::IRBuilder<> &build, const entry_frame &frame, const work_item_function &item) const {
  if (!shown.shown) return;
  llvm::Value *start = slots[shown.cell].start(build, frame);
  build.CreateStore(start, shown.shown);
  if (!shown.other) return;
  build.CreateStore(slots[shown.cell].address(build, frame, build.getInt64(item.count())), shown.other);
}

bool group_memory::is_passing_write(const llvm::Instruction &instruction) const {
  const llvm::Value *target = nullptr;
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple())
    target = store->getPointerOperand();
  else if (auto *fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction); fill && !fill->isVolatile())
    target = fill->getRawDest();
  return target && llvm::is_contained(passing, llvm::getUnderlyingObject(target));
}

}  // namespace dpep::jit::spmd
