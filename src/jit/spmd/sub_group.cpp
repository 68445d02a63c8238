// A sub-group as one function: regions between its barriers run in loops over its lanes. Sub-groups of a work-group are
// then treated like work-items elsewhere, and only the work-group's barriers are left.
#include <cassert>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jit/spmd/emit_regions.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"

namespace dpep::jit::spmd {
namespace {

/// Makes one function for all sub-groups of the item's layout.
work_item_function make_sub_group_function(work_item_function &item, std::string &remarks) {
  const split_function split(item);
  llvm::LLVMContext &context = item.function->getContext();
  auto *function = llvm::Function::Create(item.function->getFunctionType(), llvm::GlobalValue::InternalLinkage, "",
                                          item.function->getParent());
  function->takeName(item.function);
  function->setAttributes(item.function->getAttributes());
  function->setSubprogram(item.function->getSubprogram());
  item.function->setSubprogram(nullptr);

  work_item_function whole = item;
  whole.function = function;
  whole.unit = local_id_unit::sub_groups;
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
  const region_counts counts = emit_regions(split, frame, build,
                                            {.group_id = {whole.group_id[0], whole.group_id[1], whole.group_id[2]},
                                             .sub_group = whole.local_id[0],
                                             .return_block = frame.exit,
                                             .lane_counts = &whole.lane_counts});
  remarks += "sub-groups of " + std::to_string(item.sub_groups.size) + " work-items run the kernel in " +
             std::to_string(counts.all) + " regions, with " + std::to_string(split.shuffles.size()) + " shuffles";
  item.function->eraseFromParent();
  return whole;
}

/// Makes a function that runs one of the two, selected by the sub-group's number.
llvm::Function *make_dispatch(work_item_function &last, work_item_function &others, std::size_t number_of_last) {
  llvm::LLVMContext &context = last.function->getContext();
  auto *function = llvm::Function::Create(others.function->getFunctionType(), llvm::GlobalValue::InternalLinkage, "",
                                          others.function->getParent());
  function->takeName(others.function);
  function->setAttributes(others.function->getAttributes());
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function->args()) arguments.push_back(&argument);
  llvm::Value *number = arguments[others.local_id[0]->getArgNo()];
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(context, "entry", function));
  auto *last_block = llvm::BasicBlock::Create(context, "last", function);
  auto *others_block = llvm::BasicBlock::Create(context, "others", function);
  build.CreateCondBr(build.CreateICmpEQ(number, build.getInt64(number_of_last)), last_block, others_block);
  for (const auto &[block, called] : {std::pair(last_block, last.function), std::pair(others_block, others.function)}) {
    build.SetInsertPoint(block);
    llvm::CallInst *call = build.CreateCall(called, arguments);
    build.CreateRetVoid();
    llvm::InlineFunctionInfo info;
    [[maybe_unused]] const llvm::InlineResult inlined = llvm::InlineFunction(*call, info);
    assert(inlined.isSuccess());
    called->eraseFromParent();
  }
  return function;
}

}  // namespace

work_item_function make_sub_group(work_item_function &item, std::string &remarks) {
  const sub_group_layout layout = item.sub_groups;
  const bool equal_sizes = layout.last == layout.size || layout.count == 1;
  // Sub-groups that wait for each other at barriers must run the same code, and debug information describes one
  // function.
  if (equal_sizes || item.has_barriers || item.function->getSubprogram()) return make_sub_group_function(item, remarks);
  llvm::ValueToValueMapTy copies;
  work_item_function last = item;
  last.function = llvm::CloneFunction(item.function, copies);
  find_arguments(last);
  last.sub_groups = {.size = layout.last, .count = 1, .last = layout.last};
  last.sub_group->replaceAllUsesWith(llvm::ConstantInt::get(last.sub_group->getType(), layout.count - 1));
  item.sub_groups = {.size = layout.size, .count = layout.count - 1, .last = layout.size};
  for (llvm::User *user : llvm::make_early_inc_range(item.sub_group->users()))
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(user);
        compare && compare->getPredicate() == llvm::ICmpInst::ICMP_EQ)
      if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)))
        if (number->getZExtValue() == layout.count - 1)
          compare->replaceAllUsesWith(llvm::ConstantInt::getFalse(compare->getContext()));
  for (llvm::Function *version : {last.function, item.function}) simplify(*version);
  std::string last_remarks;
  work_item_function whole = make_sub_group_function(item, remarks), rest = make_sub_group_function(last, last_remarks);
  whole.function = make_dispatch(rest, whole, layout.count - 1);
  whole.sub_groups = layout;
  find_arguments(whole);
  return whole;
}

}  // namespace dpep::jit::spmd
