// What a sub-group's work-items do, as a function: regions between its barriers in loops over its lanes. The sub-groups
// of a work-group are then to each other what work-items are elsewhere, and only the work-group's barriers are left.
#include <llvm/IR/Module.h>

#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/run_regions.hpp"

namespace dpep::jit::spmd {

work_item_function make_sub_group(work_item_function &item, std::string &remarks) {
  const cut_function cut(item);
  llvm::LLVMContext &context = item.function->getContext();
  auto *function = llvm::Function::Create(item.function->getFunctionType(), llvm::GlobalValue::InternalLinkage, "",
                                          item.function->getParent());
  function->takeName(item.function);
  function->setAttributes(item.function->getAttributes());
  function->setSubprogram(item.function->getSubprogram());
  item.function->setSubprogram(nullptr);

  work_item_function whole = item;
  whole.function = function;
  whole.counts = counted::sub_groups;
  find_arguments(whole);
  entry_frame frame;
  frame.function = function;
  frame.arguments = whole.arguments;
  frame.group_count = {whole.group_count[0], whole.group_count[1], whole.group_count[2]};
  frame.offset = {whole.offset[0], whole.offset[1], whole.offset[2]};
  frame.dynamic_local = whole.dynamic_local;
  frame.static_local = whole.static_local;
  frame.scratch = whole.scratch;
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(context, "entry", function));
  frame.exit = llvm::BasicBlock::Create(context, "exit", function);
  llvm::ReturnInst::Create(context, nullptr, frame.exit);
  const region_counts counts = run_regions(cut, frame, build,
                                           {.group_id = {whole.group_id[0], whole.group_id[1], whole.group_id[2]},
                                            .sub_group = whole.local_id[0],
                                            .finished = frame.exit,
                                            .lane_counts = &whole.lane_counts});
  remarks += "sub-groups of " + std::to_string(item.sub_groups.size) + " work-items run the kernel in " +
             std::to_string(counts.all) + " parts, with " + std::to_string(cut.exchanges.size()) +
             " exchanges between lanes; ";
  item.function->eraseFromParent();
  return whole;
}

}  // namespace dpep::jit::spmd
