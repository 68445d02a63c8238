// Instructions for all lanes at once.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "jit/spmd/loop_check.hpp"
#include "jit/spmd/vector/noreturn_exits.hpp"
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

void vector_code::emit_instruction(llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == llvm::Intrinsic::prefetch) return;
  if (is_noreturn_exit(instruction)) {
    emit_noreturn_exit(llvm::cast<llvm::CallInst>(instruction));
  } else if (is_loop_check(instruction)) {
    build_.Insert(instruction.clone());  // once for all lanes
  } else if (const interleave_group *group = groups_->find(&instruction)) {
    if (llvm::isa<llvm::LoadInst>(instruction) && group->members.front().access == &instruction) load_group(*group);
    if (llvm::isa<llvm::StoreInst>(instruction) && group->members.back().access == &instruction) store_group(*group);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple()) {
    emit_store(*store);
  } else if (llvm::isa<llvm::FenceInst>(instruction)) {
    build_.Insert(instruction.clone());
  } else if (shapes_.of(&instruction).is_varying()) {
    if (can_defer_to_lanes(instruction))
      deferred_.insert(&instruction);
    else if (llvm::Value *made = emit_wide(instruction))
      values_.set_wide(&instruction, made);
  } else {
    emit_first_lane(instruction);
  }
}

// Emits one scalar instruction: for all lanes if uniform, for lane 0 if the other lanes' values derive from lane 0's.
void vector_code::emit_first_lane(llvm::Instruction &instruction) {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (address && variables_.is_lane_interleaved(address)) {
    values_.set_first(&instruction, emit_lane_interleaved_address(*address));
    return;
  }
  llvm::Instruction *made = instruction.clone();
  if (shapes_.of(&instruction).is_permuted() && instruction.getOpcode() == llvm::Instruction::Xor) {
    emit_permuted_id(instruction);
    made->deleteValue();
    return;
  }
  // An inactive lane 0 may be negative, and the other lanes' values derive from it: zext nneg becomes sext.
  if (!is_all_lanes(mask_) && instruction.getOpcode() == llvm::Instruction::ZExt &&
      shapes_.of(instruction.getOperand(0)).sign_extends && instruction.hasNonNeg()) {
    made->deleteValue();
    made = llvm::CastInst::Create(llvm::Instruction::SExt, instruction.getOperand(0), instruction.getType());
  }
  // An inactive lane 0 may also break the promise of `or disjoint`; the other lanes derive from the sum.
  if (!is_all_lanes(mask_) && instruction.getOpcode() == llvm::Instruction::Or &&
      shapes_.of(&instruction).is_strided() && !shapes_.of(&instruction).is_uniform()) {
    made->deleteValue();
    made = llvm::BinaryOperator::CreateAdd(instruction.getOperand(0), instruction.getOperand(1));
  }
  for (llvm::Use &use : made->operands())
    if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(use)) use = values_.first(use);
  // Flags such as nsw may not hold for an inactive lane 0.
  if (!is_all_lanes(mask_) && !shapes_.of(&instruction).is_uniform()) made->dropPoisonGeneratingFlags();
  build_.Insert(made, instruction.getName());
  values_.set_first(&instruction, made);
}

llvm::Value *vector_code::emit_wide(llvm::Instruction &instruction) {
  const auto with_flags = [&](llvm::Value *made) {
    if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&instruction);
    return made;
  };
  const auto operand = [&](unsigned i) { return values_.wide(instruction.getOperand(i)); };
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return emit_arithmetic(*operation);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return emit_address(*address);
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return emit_select(*choice);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) return emit_load(*load);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return emit_atomic(*atomic);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return emit_call(*call);
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return with_flags(build_.CreateCast(cast->getOpcode(), operand(0), values_.widen(cast->getDestTy())));
  if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    if (llvm::Value *made = compare_with_bound(*compare)) return made;
    if (llvm::Value *made = test_bits(*compare)) return made;
    return with_flags(build_.CreateCmp(compare->getPredicate(), operand(0), operand(1)));
  }
  if (auto *unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    return with_flags(build_.CreateUnOp(unary->getOpcode(), operand(0)));
  if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return build_.CreateExtractValue(operand(0), part->getIndices());
  if (auto *part = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return build_.CreateInsertValue(operand(0), operand(1), part->getIndices());
  if (llvm::isa<llvm::FreezeInst>(instruction)) return build_.CreateFreeze(operand(0));
  return emit_per_lane(instruction);
}

llvm::Value *vector_code::emit_arithmetic(llvm::BinaryOperator &operation) {
  llvm::Value *left = values_.wide(operation.getOperand(0)), *right = values_.wide(operation.getOperand(1));
  // Inactive lanes must not divide by zero.
  const bool divides = operation.isIntDivRem();
  if (divides && !llvm::isa<llvm::Constant>(operation.getOperand(1)))
    right = select_lanes(mask_, right, llvm::ConstantInt::get(right->getType(), 1));
  llvm::Value *made = build_.CreateBinOp(operation.getOpcode(), left, right);
  if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&operation);
  return made;
}

llvm::Value *vector_code::emit_select(llvm::SelectInst &choice) {
  llvm::Value *condition = choice.getCondition();
  const bool uniform = shapes_.of(condition).is_uniform();
  llvm::Value *a = values_.wide(choice.getTrueValue()), *b = values_.wide(choice.getFalseValue());
  if (uniform || !a->getType()->isAggregateType()) {
    llvm::Value *made = build_.CreateSelect(uniform ? values_.first(condition) : values_.wide(condition), a, b);
    if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&choice);
    return made;
  }
  return select_lanes(values_.wide(condition), a, b);
}

// A uniform base and uniform indices stay scalar: gather instructions take a scalar base and vector offsets.
llvm::Value *vector_code::emit_address(llvm::GetElementPtrInst &address) {
  if (variables_.is_lane_interleaved(&address)) return emit_lane_interleaved_address(address);
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

// Consecutive elements of one lane's variable are separated by those of the other lanes, so offsets are multiplied.
llvm::Value *vector_code::emit_lane_interleaved_address(llvm::GetElementPtrInst &address) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  [[maybe_unused]] const bool known = address.collectOffset(address.getDataLayout(), 64, variable, constant);
  assert(known && "private_layout has accepted this address");
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
