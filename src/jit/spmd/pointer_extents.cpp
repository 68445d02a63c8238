// The search from pointers to their objects. For a phi or select of pointers, a phi or select of extents is emitted.
#include "jit/spmd/pointer_extents.hpp"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "jit/compile/builtins.hpp"

namespace dpep::jit::spmd {
namespace {

/// Returns the base pointer, and appends the address computations that lead from it to `pointer`.
llvm::Value *base_of(llvm::Value *pointer, llvm::SmallVectorImpl<llvm::GEPOperator *> &steps) {
  while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (step->getType()->isVectorTy()) break;
    steps.push_back(step);
    pointer = step->getPointerOperand();
  }
  return pointer;
}

bool is_phi_or_select(const llvm::Value *base) {
  return llvm::isa<llvm::PHINode>(base) || (llvm::isa<llvm::SelectInst>(base) && !base->getType()->isVectorTy());
}

}  // namespace

pointer_extents::pointer_extents(llvm::Function &function, std::size_t group_size)
    : function_(function),
      layout_(function.getDataLayout()),
      group_size_(group_size),
      size_(llvm::Type::getInt64Ty(function.getContext())) {}

std::optional<pointer_extent> pointer_extents::of(llvm::Value *pointer, llvm::IRBuilder<> &build) {
  llvm::SmallVector<llvm::GEPOperator *> steps;
  llvm::Value *base = base_of(pointer, steps);
  std::optional<pointer_extent> extent = of_object(base);
  if (!extent && is_phi_or_select(base) && may_point_to_object(base))
    extent = of_phi_or_select(*llvm::cast<llvm::Instruction>(base));
  if (!extent) return std::nullopt;
  for (llvm::GEPOperator *step : steps)
    extent->offset =
        build.CreateAdd(extent->offset, llvm::emitGEPOffset(&build, layout_, step, /*NoAssumptions=*/true));
  return extent;
}

std::optional<pointer_extent> pointer_extents::of_object(llvm::Value *base) {
  const auto object = [&](llvm::Value *bytes, const char *object_name) {
    return pointer_extent{llvm::ConstantInt::get(size_, 0), bytes, make_name(object_name)};
  };
  if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    const auto bytes = variable->getAllocationSize(layout_);
    if (!bytes || bytes->isScalable()) return std::nullopt;
    return object(llvm::ConstantInt::get(size_, bytes->getFixedValue()), "a private array");
  }
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    if (!variable->isConstant() || !variable->hasDefinitiveInitializer()) return std::nullopt;
    const std::uint64_t bytes = layout_.getTypeAllocSize(variable->getValueType()).getFixedValue();
    return object(llvm::ConstantInt::get(size_, bytes), "a constant array");
  }
  auto *call = llvm::dyn_cast<llvm::CallInst>(base);
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

bool pointer_extents::may_point_to_object(llvm::Value *pointer) {
  llvm::SmallVector<llvm::Value *> todo{pointer};
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  while (!todo.empty()) {
    llvm::SmallVector<llvm::GEPOperator *> steps;
    llvm::Value *base = base_of(todo.pop_back_val(), steps);
    if (!seen.insert(base).second) continue;
    if (of_object(base)) return true;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(base))
      todo.append(phi->op_begin(), phi->op_end());
    else if (auto *select = llvm::dyn_cast<llvm::SelectInst>(base); select && is_phi_or_select(base))
      todo.append({select->getTrueValue(), select->getFalseValue()});
  }
  return false;
}

pointer_extent pointer_extents::of_phi_or_select(llvm::Instruction &merge) {
  if (const auto known = known_.find(&merge); known != known_.end()) return known->second;
  llvm::IRBuilder<> build(&merge);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&merge)) {
    const pointer_extent a = of_operand(select->getTrueValue(), merge), b = of_operand(select->getFalseValue(), merge);
    const auto chosen = [&](llvm::Value *x, llvm::Value *y) {
      return build.CreateSelect(select->getCondition(), x, y);
    };
    return known_[&merge] = {chosen(a.offset, b.offset), chosen(a.bytes, b.bytes), chosen(a.name, b.name)};
  }
  auto &phi = llvm::cast<llvm::PHINode>(merge);
  const unsigned count = phi.getNumIncomingValues();
  llvm::PHINode *offset = build.CreatePHI(size_, count), *bytes = build.CreatePHI(size_, count),
                *name = build.CreatePHI(build.getPtrTy(), count);
  const pointer_extent made = known_[&merge] = {offset, bytes, name};  // first, since it may depend on itself
  llvm::SmallDenseMap<llvm::BasicBlock *, pointer_extent> from;        // a switch may have several edges
  for (unsigned i = 0; i < count; ++i) {
    llvm::BasicBlock *block = phi.getIncomingBlock(i);
    auto found = from.find(block);
    if (found == from.end())
      found = from.insert({block, of_operand(phi.getIncomingValue(i), *block->getTerminator())}).first;
    offset->addIncoming(found->second.offset, block);
    bytes->addIncoming(found->second.bytes, block);
    name->addIncoming(found->second.name, block);
  }
  return made;
}

// An unknown object passes every check: its extent is the middle of a very large object.
pointer_extent pointer_extents::of_operand(llvm::Value *pointer, llvm::Instruction &before) {
  llvm::IRBuilder<> build(&before);
  if (const auto known = of(pointer, build)) return *known;
  return {llvm::ConstantInt::get(size_, std::uint64_t{1} << 62), llvm::Constant::getAllOnesValue(size_),
          make_name("memory")};
}

llvm::Value *pointer_extents::make_name(const char *text) {
  llvm::Value *&made = names_[text];
  if (!made) made = llvm::IRBuilder<>(&function_.getEntryBlock().front()).CreateGlobalString(text);
  return made;
}

}  // namespace dpep::jit::spmd
