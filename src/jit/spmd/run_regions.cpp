// From regions to code, one by one.
#include "jit/spmd/run_regions.hpp"

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

// What an inlined function's `restrict` says holds for one work-item; between its barriers others come in.
void drop_alias_scopes(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
    if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction)) instruction.eraseFromParent();
  }
}

llvm::SmallVector<cell> cells_of(llvm::ArrayRef<exchange> exchanges) {
  llvm::SmallVector<cell> cells;
  for (const exchange &each : exchanges) {
    cells.push_back({each.given, false});
    cells.push_back({each.taken, each.uniform});
    if (each.asked) cells.push_back({each.asked, each.uniform});
  }
  return cells;
}

}  // namespace

cut_function::cut_function(work_item_function &item)
    : item(item),
      barriers(split_at_barriers(*item.function)),
      uniform(item),
      exchanges(find_exchanges(item, uniform)),
      graph(*item.function, (cut_row_loops(item, uniform, barriers), barriers), uniform),
      cells(item, graph, uniform, cells_of(exchanges)) {
  if (!barriers.empty()) drop_alias_scopes(*item.function);
}

region_counts run_regions(const cut_function &cut, const entry_frame &frame, llvm::IRBuilder<> &build,
                          const region_place &place) {
  work_item_function &item = cut.item;
  const llvm::DominatorTree dominators(*item.function);
  const group_memory memory(item, frame, cut.graph, cut.cells);
  llvm::SmallVector<llvm::AllocaInst *> promotable;
  for (llvm::AllocaInst *variable : memory.shared)
    if (variable) promotable.push_back(variable);
  if (memory.shown.other) promotable.push_back(memory.shown.other);
  memory.begin(build, frame, item);
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> starts;
  const auto start_of = [&](llvm::BasicBlock *head) {
    llvm::BasicBlock *&start = starts[head];
    if (!start) start = llvm::BasicBlock::Create(build.getContext(), "region", frame.function);
    return start;
  };
  const group_context context{.item = item,
                              .frame = frame,
                              .graph = cut.graph,
                              .cells = cut.cells,
                              .memory = memory,
                              .dominators = dominators,
                              .group_id = place.group_id,
                              .sub_group = place.sub_group,
                              .finished = place.finished,
                              .barriers = cut.barriers,
                              .exchanges = cut.exchanges,
                              .start_of = start_of,
                              .promotable = promotable,
                              .lane_counts = place.lane_counts};
  build.CreateBr(start_of(cut.graph.regions().front().head));
  region_counts counts;
  for (const region &each : cut.graph.regions()) {
    region_code code(context, each);
    code.make(start_of(each.head));
    ++counts.all;
    counts.for_every_item += code.runs_for_every_item();
    counts.choosing += code.chooses_successor();
  }

  // The item's own blocks go, and with them the last uses of its variables.
  item.function->dropAllReferences();
  for (const cell &each : cut.cells.all()) each.variable->eraseFromParent();
  for (const auto &[variable, kept] : memory.kept_for_each) variable->eraseFromParent();
  llvm::removeUnreachableBlocks(*frame.function);
  llvm::DominatorTree of_group(*frame.function);
  llvm::PromoteMemToReg(promotable, of_group);
  return counts;
}

}  // namespace dpep::jit::spmd
