// The emission of the regions, one by one.
#include "jit/spmd/emit_regions.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "jit/spmd/entry.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/row_loops.hpp"

namespace dpep::jit::spmd {
namespace {

// Removes the metadata that inlining has made of `restrict` parameters. It holds for one work-item, but between its
// barriers other work-items run.
void drop_alias_scopes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
    if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction)) instruction.eraseFromParent();
  }
}

llvm::SmallVector<spill_slot> slots_of(llvm::ArrayRef<shuffle> shuffles) {
  llvm::SmallVector<spill_slot> slots;
  for (const shuffle &each : shuffles) {
    slots.push_back({each.input, false});
    slots.push_back({each.result, each.uniform});
    if (each.source) slots.push_back({each.source, each.uniform});
  }
  return slots;
}

}  // namespace

split_function::split_function(work_item_function &item)
    : item(item),
      barriers(split_at_barriers(*item.function)),
      uniform(item),
      shuffles(lower_shuffles(item, uniform)),
      graph(*item.function, (split_row_loops(item, uniform, barriers), barriers), uniform),
      slots(item, graph, uniform, slots_of(shuffles)) {
  if (!barriers.empty()) drop_alias_scopes(*item.function);
}

region_counts emit_regions(const split_function &split, const entry_frame &frame, llvm::IRBuilder<> &build,
                           const region_environment &environment) {
  work_item_function &item = split.item;
  const llvm::DominatorTree dominators(*item.function);
  const group_memory memory(item, frame, split.graph, split.slots);
  llvm::SmallVector<llvm::AllocaInst *> promotable;
  for (llvm::AllocaInst *variable : memory.uniform_variables)
    if (variable) promotable.push_back(variable);
  if (memory.promoted.pending) promotable.push_back(memory.promoted.pending);
  memory.initialise(build, frame, item);
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> starts;
  const auto start_of = [&](llvm::BasicBlock *head) {
    llvm::BasicBlock *&start = starts[head];
    if (!start) start = llvm::BasicBlock::Create(build.getContext(), "region", frame.function);
    return start;
  };
  const group_context context{.item = item,
                              .frame = frame,
                              .graph = split.graph,
                              .slots = split.slots,
                              .memory = memory,
                              .dominators = dominators,
                              .group_id = environment.group_id,
                              .order = environment.order,
                              .sub_group = environment.sub_group,
                              .return_block = environment.return_block,
                              .barriers = split.barriers,
                              .shuffles = split.shuffles,
                              .start_of = start_of,
                              .promotable = promotable,
                              .lane_counts = environment.lane_counts};
  build.CreateBr(start_of(split.graph.regions().front().head));
  region_counts counts;
  for (const region &each : split.graph.regions()) {
    region_emitter emitter(context, each);
    emitter.emit(start_of(each.head));
    ++counts.all;
    counts.looped += emitter.has_item_loops();
    counts.with_dynamic_exit += emitter.has_dynamic_exit();
  }

  // Dropping the item's own blocks removes the last uses of its variables.
  item.function->dropAllReferences();
  for (const spill_slot &each : split.slots.all()) each.variable->eraseFromParent();
  for (const auto &[variable, kept] : memory.kept_variables) variable->eraseFromParent();
  llvm::removeUnreachableBlocks(*frame.function);
  llvm::DominatorTree group_dominators(*frame.function);
  llvm::PromoteMemToReg(promotable, group_dominators);
  return counts;
}

}  // namespace dpep::jit::spmd
