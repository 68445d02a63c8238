// Launches with work-groups: a loop over work-groups, which runs their regions.
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "jit/spmd/cells.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/spmd/region_code.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/uniformity.hpp"

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

}  // namespace

llvm::Function *make_grouped(work_item_function &item, const specialisation &special, std::string &remarks) {
  const std::size_t own_scratch = item.scratch_bytes;
  if (item.has_barriers) drop_alias_scopes(*item.function);
  const auto barriers = split_at_barriers(*item.function);
  const uniformity uniform(item);
  const region_graph graph(*item.function, barriers, uniform);
  const value_cells cells(*item.function, graph, uniform);
  const llvm::DominatorTree dominators(*item.function);

  llvm::IRBuilder<> build(item.function->getContext());
  const entry_frame frame = make_entry(item, special, build);
  const group_memory memory(item, frame, graph, cells);
  counting_loop groups = open_loop(build, frame.begin, frame.end, "group");
  llvm::BranchInst::Create(frame.exit, groups.done);

  llvm::SmallVector<llvm::AllocaInst *> promotable;
  for (llvm::AllocaInst *variable : memory.shared)
    if (variable) promotable.push_back(variable);
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> starts;
  const auto start_of = [&](llvm::BasicBlock *head) {
    llvm::BasicBlock *&start = starts[head];
    if (!start) start = llvm::BasicBlock::Create(build.getContext(), "region", frame.function);
    return start;
  };
  const group_context context{.item = item,
                              .frame = frame,
                              .graph = graph,
                              .cells = cells,
                              .memory = memory,
                              .dominators = dominators,
                              .group_id = coordinates(build, groups.index, frame.group_count, special.dimensions),
                              .finished = groups.latch,
                              .start_of = start_of,
                              .promotable = promotable};
  build.CreateBr(start_of(graph.regions().front().head));
  unsigned for_every_item = 0, choosing = 0;
  for (const region &each : graph.regions()) {
    region_code code(context, each);
    code.make(start_of(each.head));
    for_every_item += code.runs_for_every_item();
    choosing += code.chooses_successor();
  }
  if (item.has_barriers) {
    remarks = "barriers cut the kernel into " + std::to_string(graph.regions().size()) + " parts, " +
              std::to_string(for_every_item) + " of which are run by every work-item; " +
              std::to_string((item.scratch_bytes - own_scratch) / item.group_size()) +
              " bytes are kept for each work-item between them";
    if (choosing)
      remarks += "; some barriers depend on conditions that may differ between the work-items of a group as far as the "
                 "compiler can see, so code around them is chosen at run time";
  }

  // The item's own blocks go, and with them the last uses of its variables.
  item.function->dropAllReferences();
  for (const cell &each : cells.all()) each.variable->eraseFromParent();
  for (const auto &[variable, place] : memory.kept_for_each) variable->eraseFromParent();
  llvm::removeUnreachableBlocks(*frame.function);
  llvm::DominatorTree of_group(*frame.function);
  llvm::PromoteMemToReg(promotable, of_group);
  return frame.function;
}

}  // namespace dpep::jit::spmd
