// Following pointers to their objects. Where one is chosen, by a phi or a selection, its extent is chosen the same way.
#include "jit/spmd/pointer_extents.hpp"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "jit/compile/builtins.hpp"

namespace dpep::jit::spmd {
namespace {

/// The pointer that it is computed from by adding offsets.
llvm::Value *start_of(llvm::Value *pointer, llvm::SmallVectorImpl<llvm::GEPOperator *> &steps) {
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (step->getType()->isVectorTy()) break;
    steps.push_back(step);
    pointer = step->getPointerOperand();
  }
  return pointer;
}

bool is_choice(const llvm::Value *start) {
  return llvm::isa<llvm::PHINode>(start) || (llvm::isa<llvm::SelectInst>(start) && !start->getType()->isVectorTy());
}

}  // namespace

pointer_extents::pointer_extents(llvm::Function &function, std::size_t group_size)
    : function_(function),
      layout_(function.getDataLayout()),
      group_size_(group_size),
      size_(llvm::Type::getInt64Ty(function.getContext())) {}

std::optional<pointer_extent> pointer_extents::of(llvm::Value *pointer, llvm::IRBuilder<> &build) {
  llvm::SmallVector<llvm::GEPOperator *> steps;
  llvm::Value *start = start_of(pointer, steps);
  std::optional<pointer_extent> extent = of_object(start);
  if (!extent && is_choice(start) && leads_to_object(start)) extent = of_choice(*llvm::cast<llvm::Instruction>(start));
  if (!extent) return std::nullopt;
  for (llvm::GEPOperator *step : steps)
    extent->offset =
        build.CreateAdd(extent->offset, llvm::emitGEPOffset(&build, layout_, step, /*NoAssumptions=*/true));
  return extent;
}

std::optional<pointer_extent> pointer_extents::of_object(llvm::Value *start) {
  const auto object = [&](llvm::Value *bytes, const char *what) {
    return pointer_extent{llvm::ConstantInt::get(size_, 0), bytes, name(what)};
  };
  if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(start)) {
    const auto bytes = variable->getAllocationSize(layout_);
    if (!bytes || bytes->isScalable()) return std::nullopt;
    return object(llvm::ConstantInt::get(size_, bytes->getFixedValue()), "a private array");
  }
  auto *call = llvm::dyn_cast<llvm::CallInst>(start);
  if (!call) return std::nullopt;
  switch (builtin_of(*call)) {
  case builtin::sized_memory:
    return object(call->getArgOperand(1), "local memory");
  case builtin::static_local_memory:
    return object(call->getArgOperand(0), "local memory");
  case builtin::group_scratch:
    if (auto *each = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
      return object(llvm::ConstantInt::get(size_, each->getZExtValue() * group_size_), "the group's scratch memory");
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

bool pointer_extents::leads_to_object(llvm::Value *pointer) {
  llvm::SmallVector<llvm::Value *> todo{pointer};
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  while (!todo.empty()) {
    llvm::SmallVector<llvm::GEPOperator *> steps;
    llvm::Value *start = start_of(todo.pop_back_val(), steps);
    if (!seen.insert(start).second) continue;
    if (of_object(start)) return true;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(start))
      todo.append(phi->op_begin(), phi->op_end());
    else if (auto *selection = llvm::dyn_cast<llvm::SelectInst>(start); selection && is_choice(start))
      todo.append({selection->getTrueValue(), selection->getFalseValue()});
  }
  return false;
}

pointer_extent pointer_extents::of_choice(llvm::Instruction &choice) {
  if (const auto known = choices_.find(&choice); known != choices_.end()) return known->second;
  llvm::IRBuilder<> build(&choice);
  if (auto *selection = llvm::dyn_cast<llvm::SelectInst>(&choice)) {
    const pointer_extent a = of_chosen(selection->getTrueValue(), choice),
                         b = of_chosen(selection->getFalseValue(), choice);
    const auto chosen = [&](llvm::Value *x, llvm::Value *y) {
      return build.CreateSelect(selection->getCondition(), x, y);
    };
    return choices_[&choice] = {chosen(a.offset, b.offset), chosen(a.bytes, b.bytes), chosen(a.what, b.what)};
  }
  auto &phi = llvm::cast<llvm::PHINode>(choice);
  const unsigned count = phi.getNumIncomingValues();
  llvm::PHINode *offset = build.CreatePHI(size_, count), *bytes = build.CreatePHI(size_, count),
                *what = build.CreatePHI(build.getPtrTy(), count);
  const pointer_extent made = choices_[&choice] = {offset, bytes, what};  // before: it may depend on itself
  llvm::SmallDenseMap<llvm::BasicBlock *, pointer_extent> from;           // a switch may come in several ways
  for (unsigned i = 0; i < count; ++i) {
    llvm::BasicBlock *block = phi.getIncomingBlock(i);
    auto found = from.find(block);
    if (found == from.end())
      found = from.insert({block, of_chosen(phi.getIncomingValue(i), *block->getTerminator())}).first;
    offset->addIncoming(found->second.offset, block);
    bytes->addIncoming(found->second.bytes, block);
    what->addIncoming(found->second.what, block);
  }
  return made;
}

// Of an object that isn't known, everything is taken to be right: it is large, and this is its middle.
pointer_extent pointer_extents::of_chosen(llvm::Value *pointer, llvm::Instruction &before) {
  llvm::IRBuilder<> build(&before);
  if (const auto known = of(pointer, build)) return *known;
  return {llvm::ConstantInt::get(size_, std::uint64_t{1} << 62), llvm::Constant::getAllOnesValue(size_),
          name("memory")};
}

llvm::Value *pointer_extents::name(const char *text) {
  llvm::Value *&made = names_[text];
  if (!made) made = llvm::IRBuilder<>(&function_.getEntryBlock().front()).CreateGlobalString(text);
  return made;
}

}  // namespace dpep::jit::spmd
