// Instructions for all lanes at once.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "jit/spmd/loop_check.hpp"
#include "jit/spmd/vector/endings.hpp"
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

void vector_code::make_instruction(llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == llvm::Intrinsic::prefetch) return;
  if (is_ending(instruction)) {
    make_ending(llvm::cast<llvm::CallInst>(instruction));
  } else if (is_loop_check(instruction)) {
    build_.Insert(instruction.clone());  // one for all lanes
  } else if (const access_group *group = groups_->find(&instruction)) {
    if (llvm::isa<llvm::LoadInst>(instruction) && group->members.front().access == &instruction) load_group(*group);
    if (llvm::isa<llvm::StoreInst>(instruction) && group->members.back().access == &instruction) store_group(*group);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple()) {
    make_store(*store);
  } else if (llvm::isa<llvm::FenceInst>(instruction)) {
    build_.Insert(instruction.clone());
  } else if (shapes_.of(&instruction).is_varying()) {
    if (waits_for_lanes(instruction))
      waiting_.insert(&instruction);
    else if (llvm::Value *made = make_wide(instruction))
      values_.set_wide(&instruction, made);
  } else {
    make_first(instruction);
  }
}

// One instruction for all lanes, or for lane 0 where the others follow from it.
void vector_code::make_first(llvm::Instruction &instruction) {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (address && variables_.alternates(address)) {
    values_.set_first(&instruction, alternating_address(*address));
    return;
  }
  llvm::Instruction *made = instruction.clone();
  if (shapes_.of(&instruction).is_turned() && instruction.getOpcode() == llvm::Instruction::Xor) {
    make_exchange(instruction);
    made->deleteValue();
    return;
  }
  // Where lane 0 isn't meant, it may be below zero, which the others follow from.
  if (!is_all(mask_) && instruction.getOpcode() == llvm::Instruction::ZExt &&
      shapes_.of(instruction.getOperand(0)).sign_extends && instruction.hasNonNeg()) {
    made->deleteValue();
    made = llvm::CastInst::Create(llvm::Instruction::SExt, instruction.getOperand(0), instruction.getType());
  }
  // Nor need its bits be apart, and what follows is a sum.
  if (!is_all(mask_) && instruction.getOpcode() == llvm::Instruction::Or && shapes_.of(&instruction).is_strided() &&
      !shapes_.of(&instruction).is_uniform()) {
    made->deleteValue();
    made = llvm::BinaryOperator::CreateAdd(instruction.getOperand(0), instruction.getOperand(1));
  }
  for (llvm::Use &use : made->operands())
    if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(use)) use = values_.first(use);
  // Lane 0 may not be meant, and what is promised may not hold for it.
  if (!is_all(mask_) && !shapes_.of(&instruction).is_uniform()) made->dropPoisonGeneratingFlags();
  build_.Insert(made, instruction.getName());
  values_.set_first(&instruction, made);
}

llvm::Value *vector_code::make_wide(llvm::Instruction &instruction) {
  const auto flags_of = [&](llvm::Value *made) {
    if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&instruction);
    return made;
  };
  const auto operand = [&](unsigned i) { return values_.wide(instruction.getOperand(i)); };
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return make_arithmetic(*operation);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return make_address(*address);
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return make_choice(*choice);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) return make_load(*load);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return make_atomic(*atomic);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return make_call(*call);
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return flags_of(build_.CreateCast(cast->getOpcode(), operand(0), values_.widen(cast->getDestTy())));
  if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    if (llvm::Value *made = compare_with_bound(*compare)) return made;
    if (llvm::Value *made = test_bits(*compare)) return made;
    return flags_of(build_.CreateCmp(compare->getPredicate(), operand(0), operand(1)));
  }
  if (auto *unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    return flags_of(build_.CreateUnOp(unary->getOpcode(), operand(0)));
  if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return build_.CreateExtractValue(operand(0), part->getIndices());
  if (auto *part = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return build_.CreateInsertValue(operand(0), operand(1), part->getIndices());
  if (llvm::isa<llvm::FreezeInst>(instruction)) return build_.CreateFreeze(operand(0));
  return lane_by_lane(instruction);
}

llvm::Value *vector_code::make_arithmetic(llvm::BinaryOperator &operation) {
  llvm::Value *left = values_.wide(operation.getOperand(0)), *right = values_.wide(operation.getOperand(1));
  // Lanes that are not meant must not divide by zero.
  const bool divides = operation.isIntDivRem();
  if (divides && !llvm::isa<llvm::Constant>(operation.getOperand(1)))
    right = choose(mask_, right, llvm::ConstantInt::get(right->getType(), 1));
  llvm::Value *made = build_.CreateBinOp(operation.getOpcode(), left, right);
  if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&operation);
  return made;
}

llvm::Value *vector_code::make_choice(llvm::SelectInst &choice) {
  llvm::Value *condition = choice.getCondition();
  const bool together = shapes_.of(condition).is_uniform();
  llvm::Value *a = values_.wide(choice.getTrueValue()), *b = values_.wide(choice.getFalseValue());
  if (together || !a->getType()->isAggregateType()) {
    llvm::Value *made = build_.CreateSelect(together ? values_.first(condition) : values_.wide(condition), a, b);
    if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&choice);
    return made;
  }
  return choose(values_.wide(condition), a, b);
}

// The base and indices that are the same for all lanes stay scalar, which is what gathers are made of.
llvm::Value *vector_code::make_address(llvm::GetElementPtrInst &address) {
  if (variables_.alternates(&address)) return alternating_address(address);
  const auto operand = [&](llvm::Value *value) {
    return shapes_.of(value).is_uniform() ? values_.first(value) : values_.wide(value);
  };
  llvm::SmallVector<llvm::Value *> indices;
  for (llvm::Value *index : address.indices()) indices.push_back(operand(index));
  llvm::Value *made = build_.CreateGEP(address.getSourceElementType(), operand(address.getPointerOperand()), indices,
                                       address.getName());
  if (auto *one = llvm::dyn_cast<llvm::GetElementPtrInst>(made)) one->setNoWrapFlags(address.getNoWrapFlags());
  return made;
}

// Between two parts of one lane's variable there are those of the other lanes.
llvm::Value *vector_code::alternating_address(llvm::GetElementPtrInst &address) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  [[maybe_unused]] const bool known = address.collectOffset(address.getDataLayout(), 64, variable, constant);
  assert(known && "private_layout has asked");
  const bool wide = shapes_.of(&address).is_varying();
  llvm::Type *type = wide ? values_.widen(build_.getInt64Ty()) : build_.getInt64Ty();
  const auto number = [&](const llvm::APInt &bytes) {
    return llvm::ConstantInt::getSigned(type, bytes.getSExtValue() * static_cast<std::int64_t>(lanes_));
  };
  llvm::Value *offset = number(constant);
  for (const auto &[index, step] : variable) {
    llvm::Value *value = wide ? values_.wide(index) : values_.first(index);
    offset = build_.CreateAdd(offset, build_.CreateMul(build_.CreateSExtOrTrunc(value, type), number(step)));
  }
  llvm::Value *base = address.getPointerOperand();
  return build_.CreatePtrAdd(wide ? values_.wide(base) : values_.first(base), offset, address.getName());
}

}  // namespace dpep::jit::spmd
