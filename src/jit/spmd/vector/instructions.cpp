// Instructions for all lanes at once.
#include "jit/spmd/vector/instructions.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/loop_check.hpp"
#include "jit/spmd/vector/calls.hpp"
#include "jit/spmd/vector/comparisons.hpp"
#include "jit/spmd/vector/masks.hpp"
#include "jit/spmd/vector/memory.hpp"
#include "jit/spmd/vector/noreturn_exits.hpp"

namespace dpep::jit::spmd {
namespace {

// Consecutive elements of one lane's variable are separated by those of the other lanes, so offsets are multiplied.
llvm::Value *emit_lane_interleaved_address(vector_code &code, llvm::GetElementPtrInst &address) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  [[maybe_unused]] const bool known = address.collectOffset(address.getDataLayout(), 64, variable, constant);
  assert(known && "private_layout has accepted this address");
  const bool wide = code.shapes.of(&address).is_varying();
  llvm::Type *type = wide ? code.values.widen(code.build.getInt64Ty()) : code.build.getInt64Ty();
  const auto number = [&](const llvm::APInt &bytes) {
    return llvm::ConstantInt::getSigned(type, bytes.getSExtValue() * static_cast<std::int64_t>(code.lanes));
  };
  llvm::Value *offset = number(constant);
  for (const auto &[index, step] : variable) {
    llvm::Value *value = wide ? code.values.wide(index) : code.values.first(index);
    offset =
        code.build.CreateAdd(offset, code.build.CreateMul(code.build.CreateSExtOrTrunc(value, type), number(step)));
  }
  llvm::Value *base = address.getPointerOperand();
  return code.build.CreatePtrAdd(wide ? code.values.wide(base) : code.values.first(base), offset, address.getName());
}

// Emits one scalar instruction: for all lanes if uniform, for lane 0 if the other lanes' values derive from lane 0's.
void emit_first_lane(vector_code &code, llvm::Instruction &instruction) {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (address && code.variables.is_lane_interleaved(address)) {
    code.values.set_first(&instruction, emit_lane_interleaved_address(code, *address));
    return;
  }
  llvm::Instruction *made = instruction.clone();
  if (code.shapes.of(&instruction).is_permuted() && instruction.getOpcode() == llvm::Instruction::Xor) {
    emit_permuted_id(code, instruction);
    made->deleteValue();
    return;
  }
  // An inactive lane 0 may be negative, and the other lanes' values derive from it: zext nneg becomes sext.
  if (!is_all_lanes(code, code.mask) && instruction.getOpcode() == llvm::Instruction::ZExt &&
      code.shapes.of(instruction.getOperand(0)).sign_extends && instruction.hasNonNeg()) {
    made->deleteValue();
    made = llvm::CastInst::Create(llvm::Instruction::SExt, instruction.getOperand(0), instruction.getType());
  }
  // In an inactive lane 0, the operands of `or disjoint` may have common bits. The other lanes' values derive from the
  // sum, so an addition replaces it.
  if (!is_all_lanes(code, code.mask) && instruction.getOpcode() == llvm::Instruction::Or &&
      code.shapes.of(&instruction).is_strided() && !code.shapes.of(&instruction).is_uniform()) {
    made->deleteValue();
    made = llvm::BinaryOperator::CreateAdd(instruction.getOperand(0), instruction.getOperand(1));
  }
  for (llvm::Use &use : made->operands())
    if (!llvm::isa<llvm::BasicBlock, llvm::MetadataAsValue>(use)) use = code.values.first(use);
  // Flags such as nsw may not hold for an inactive lane 0.
  if (!is_all_lanes(code, code.mask) && !code.shapes.of(&instruction).is_uniform()) made->dropPoisonGeneratingFlags();
  code.build.Insert(made, instruction.getName());
  code.values.set_first(&instruction, made);
}

llvm::Value *emit_arithmetic(vector_code &code, llvm::BinaryOperator &operation) {
  llvm::Value *left = code.values.wide(operation.getOperand(0)), *right = code.values.wide(operation.getOperand(1));
  // Inactive lanes must not divide by zero.
  const bool divides = operation.isIntDivRem();
  if (divides && !llvm::isa<llvm::Constant>(operation.getOperand(1)))
    right = select_lanes(code, code.mask, right, llvm::ConstantInt::get(right->getType(), 1));
  llvm::Value *made = code.build.CreateBinOp(operation.getOpcode(), left, right);
  if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&operation);
  return made;
}

void emit_agreement_of_lanes(vector_code &code, llvm::CallInst &call) {
  llvm::Value *condition = call.getArgOperand(0);
  llvm::Value *all = code.shapes.of(condition).is_uniform()
                         ? code.values.first(condition)
                         : every_lane(code, select_lanes(code, code.mask, code.values.wide(condition), code.all_lanes));
  code.values.set_first(&call, all);
}

llvm::Value *emit_select(vector_code &code, llvm::SelectInst &choice) {
  llvm::Value *condition = choice.getCondition();
  const bool uniform = code.shapes.of(condition).is_uniform();
  llvm::Value *a = code.values.wide(choice.getTrueValue()), *b = code.values.wide(choice.getFalseValue());
  if (uniform || !a->getType()->isAggregateType()) {
    llvm::Value *made =
        code.build.CreateSelect(uniform ? code.values.first(condition) : code.values.wide(condition), a, b);
    if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&choice);
    return made;
  }
  return select_lanes(code, code.values.wide(condition), a, b);
}

// A uniform base and uniform indices stay scalar: gather instructions take a scalar base and vector offsets.
llvm::Value *emit_address(vector_code &code, llvm::GetElementPtrInst &address) {
  if (code.variables.is_lane_interleaved(&address)) return emit_lane_interleaved_address(code, address);
  const auto operand = [&](llvm::Value *value) {
    return code.shapes.of(value).is_uniform() ? code.values.first(value) : code.values.wide(value);
  };
  llvm::SmallVector<llvm::Value *> indices;
  for (llvm::Value *index : address.indices()) indices.push_back(operand(index));
  llvm::Value *made = code.build.CreateGEP(address.getSourceElementType(), operand(address.getPointerOperand()),
                                           indices, address.getName());
  if (auto *one = llvm::dyn_cast<llvm::GetElementPtrInst>(made)) one->setNoWrapFlags(address.getNoWrapFlags());
  return made;
}

llvm::Value *emit_wide(vector_code &code, llvm::Instruction &instruction) {
  const auto with_flags = [&](llvm::Value *made) {
    if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&instruction);
    return made;
  };
  const auto operand = [&](unsigned i) { return code.values.wide(instruction.getOperand(i)); };
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return emit_arithmetic(code, *operation);
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return emit_address(code, *address);
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return emit_select(code, *choice);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple())
    return emit_load(code, *load);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return emit_atomic(code, *atomic);
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return emit_call(code, *call);
  // Gather instructions extend indices of 32 bits as signed numbers.
  if (code.shapes.is_masked_index(&instruction) || (llvm::isa<llvm::ZExtInst>(instruction) && instruction.hasNonNeg()))
    return code.build.CreateSExt(operand(0), code.values.widen(instruction.getType()));
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return with_flags(code.build.CreateCast(cast->getOpcode(), operand(0), code.values.widen(cast->getDestTy())));
  if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) return emit_comparison(code, *compare);
  if (auto *unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    return with_flags(code.build.CreateUnOp(unary->getOpcode(), operand(0)));
  if (auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction))
    return code.build.CreateExtractValue(operand(0), part->getIndices());
  if (auto *part = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return code.build.CreateInsertValue(operand(0), operand(1), part->getIndices());
  if (llvm::isa<llvm::FreezeInst>(instruction)) return code.build.CreateFreeze(operand(0));
  return emit_per_lane(code, instruction);
}

}  // namespace

void emit_instruction(vector_code &code, llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == llvm::Intrinsic::prefetch) return;
  if (is_noreturn_exit(instruction)) {
    emit_noreturn_exit(code, llvm::cast<llvm::CallInst>(instruction));
  } else if (builtin_of(instruction) == builtin::agreement) {
    emit_agreement_of_lanes(code, llvm::cast<llvm::CallInst>(instruction));
  } else if (is_loop_check(instruction)) {
    code.build.Insert(instruction.clone());  // once for all lanes
  } else if (const interleave_group *group = code.groups->find(&instruction)) {
    if (llvm::isa<llvm::LoadInst>(instruction) && group->members.front().access == &instruction)
      load_group(code, *group);
    if (llvm::isa<llvm::StoreInst>(instruction) && group->members.back().access == &instruction)
      store_group(code, *group);
  } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isSimple()) {
    emit_store(code, *store);
  } else if (llvm::isa<llvm::FenceInst>(instruction)) {
    code.build.Insert(instruction.clone());
  } else if (code.shapes.of(&instruction).is_varying()) {
    if (can_defer_to_lanes(code, instruction))
      code.deferred.insert(&instruction);
    else if (llvm::Value *made = emit_wide(code, instruction))
      code.values.set_wide(&instruction, made);
  } else {
    emit_first_lane(code, instruction);
  }
}

}  // namespace dpep::jit::spmd
