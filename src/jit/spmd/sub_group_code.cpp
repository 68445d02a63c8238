// What a sub-group's work-items do, as a function: regions between its barriers in loops over its lanes. The sub-groups
// of a work-group are then to each other what work-items are elsewhere, and only the work-group's barriers are left.
#include <cassert>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/run_regions.hpp"

namespace dpep::jit::spmd {
namespace {

/// For all sub-groups alike, as far as the layout says that they are.
work_item_function code_of(work_item_function &item, std::string &remarks) {
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
             " exchanges between lanes";
  item.function->eraseFromParent();
  return whole;
}

/// A function that calls one of the two, by the number of the sub-group.
llvm::Function *either(work_item_function &last, work_item_function &others, std::size_t number_of_last) {
  llvm::LLVMContext &context = last.function->getContext();
  auto *function = llvm::Function::Create(others.function->getFunctionType(), llvm::GlobalValue::InternalLinkage, "",
                                          others.function->getParent());
  function->takeName(others.function);
  function->setAttributes(others.function->getAttributes());
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function->args()) arguments.push_back(&argument);
  llvm::Value *number = arguments[others.local_id[0]->getArgNo()];
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(context, "entry", function));
  auto *if_last = llvm::BasicBlock::Create(context, "last", function);
  auto *if_not = llvm::BasicBlock::Create(context, "others", function);
  build.CreateCondBr(build.CreateICmpEQ(number, build.getInt64(number_of_last)), if_last, if_not);
  for (const auto &[block, called] : {std::pair(if_last, last.function), std::pair(if_not, others.function)}) {
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
  const bool alike = layout.last == layout.size || layout.count == 1;
  // Where sub-groups wait for each other, they have to be in the same code; and debuggers know one function only.
  if (alike || item.has_barriers || item.function->getSubprogram()) return code_of(item, remarks);
  llvm::ValueToValueMapTy copies;
  work_item_function last = item;
  last.function = llvm::CloneFunction(item.function, copies);
  find_arguments(last);
  last.sub_groups = {.size = layout.last, .count = 1, .last = layout.last};
  last.sub_group->replaceAllUsesWith(llvm::ConstantInt::get(last.sub_group->getType(), layout.count - 1));
  item.sub_groups = {.size = layout.size, .count = layout.count - 1, .last = layout.size};
  for (llvm::User *user : llvm::make_early_inc_range(item.sub_group->users()))
    if (auto *asks = llvm::dyn_cast<llvm::ICmpInst>(user); asks && asks->getPredicate() == llvm::ICmpInst::ICMP_EQ)
      if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(asks->getOperand(1)))
        if (number->getZExtValue() == layout.count - 1)
          asks->replaceAllUsesWith(llvm::ConstantInt::getFalse(asks->getContext()));
  for (llvm::Function *version : {last.function, item.function}) simplify(*version);
  std::string of_last;
  work_item_function whole = code_of(item, remarks), rest = code_of(last, of_last);
  whole.function = either(rest, whole, layout.count - 1);
  whole.sub_groups = layout;
  find_arguments(whole);
  return whole;
}

}  // namespace dpep::jit::spmd
