// Calls: intrinsics for all lanes at once, everything else for one lane after the other.
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

bool has_overflow_bit(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    return true;
  default:
    return false;
  }
}

}  // namespace

llvm::Value *vector_code::make_call(llvm::CallBase &call) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    if (llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) || has_overflow_bit(intrinsic->getIntrinsicID()))
      return make_intrinsic(*intrinsic);
  return lane_by_lane(call);
}

llvm::Value *vector_code::make_intrinsic(llvm::IntrinsicInst &call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  llvm::SmallVector<llvm::Value *> arguments;
  for (const auto &[number, argument] : llvm::enumerate(call.args())) {
    const bool scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, static_cast<unsigned>(number), &analyses_.target);
    if (scalar && !shapes_.of(argument).is_uniform()) return lane_by_lane(call);  // powi
    arguments.push_back(scalar ? values_.first(argument) : values_.wide(argument));
  }
  llvm::CallInst *made = build_.CreateIntrinsic(values_.widen(call.getType()), id, arguments);
  made->copyIRFlags(&call);
  if (llvm::MDNode *accuracy = call.getMetadata(llvm::LLVMContext::MD_fpmath))
    made->setMetadata(llvm::LLVMContext::MD_fpmath, accuracy);
  return made;
}

// The first lane for which the condition holds ends the kernel; nobody goes on then.
void vector_code::make_ending(llvm::CallInst &call) {
  llvm::Value *condition = call.getArgOperand(0);
  const bool together = shapes_.of(condition).is_uniform();
  llvm::Value *ends = together ? mask_ : both(mask_, values_.wide(condition));
  llvm::Value *some = together ? build_.CreateLogicalAnd(any(mask_), values_.first(condition)) : any(ends);
  llvm::BasicBlock *end = new_block("ending"), *after = new_block("passed");
  build_.CreateCondBr(some, end, after, llvm::MDBuilder(build_.getContext()).createUnlikelyBranchWeights());

  build_.SetInsertPoint(end);
  llvm::Value *number = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits(ends), build_.getTrue());
  llvm::Value *lane = build_.CreateZExtOrTrunc(number, build_.getInt32Ty(), "lane");
  llvm::SmallVector<llvm::Value *> arguments{build_.getTrue()};
  for (llvm::Value *argument : llvm::drop_begin(call.args())) arguments.push_back(values_.at(build_, argument, lane));
  build_.CreateCall(call.getCalledFunction(), arguments)->setDoesNotThrow();
  build_.CreateUnreachable();

  build_.SetInsertPoint(after);
}

llvm::Value *vector_code::once(llvm::Instruction &instruction, llvm::Value *lane) {
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction.operands())
    if (llvm::isa<llvm::MetadataAsValue>(operand))
      operands.push_back(operand);
    else if (waiting_.contains(operand))
      operands.push_back(once(llvm::cast<llvm::Instruction>(*operand), lane));
    else
      operands.push_back(values_.at(build_, operand, lane));
  llvm::Instruction *made = instruction.clone();
  for (const auto &[number, operand] : llvm::enumerate(operands))
    made->setOperand(static_cast<unsigned>(number), operand);
  return build_.Insert(made);
}

// What is only wanted by an instruction that is done for one lane after the other (the place of a counter) is computed
// there: to make vectors of it and to take them apart again costs more than the vectors save.
bool vector_code::waits_for_lanes(const llvm::Instruction &instruction) const {
  constexpr int most = 8;
  if (!is_all(mask_)) return false;
  const llvm::Instruction *at = &instruction;
  bool loads = false;
  for (int steps = 0; steps < most; ++steps) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(at);
    const bool plain = load ? load->isSimple() && !groups_->find(load)
                            : llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator>(at);
    if (!plain || at->isIntDivRem() || variables_.alternates(at) || !at->hasOneUse()) return false;
    loads |= load != nullptr;
    at = llvm::cast<llvm::Instruction>(*at->user_begin());
    if (at->getParent() != instruction.getParent()) return false;
    const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(at);
    if (!update || shapes_.of(update->getPointerOperand()).is_uniform()) continue;
    // What is loaded later must not be overwritten before.
    const auto between = llvm::make_range(std::next(instruction.getIterator()), at->getIterator());
    return !loads || llvm::none_of(between, [](const llvm::Instruction &each) { return each.mayWriteToMemory(); });
  }
  return false;
}

// A loop over the lanes that are meant: unrolled, it would be as many copies as there are lanes.
llvm::Value *vector_code::lane_by_lane(llvm::Instruction &instruction) {
  llvm::Type *type =
      instruction.getType()->isVoidTy() || instruction.use_empty() ? nullptr : values_.widen(instruction.getType());
  // Short ones are unrolled where all lanes are meant.
  if (is_all(mask_) && !llvm::isa<llvm::CallBase>(instruction)) {
    llvm::Value *result = type ? llvm::PoisonValue::get(type) : nullptr;
    for (unsigned i = 0; i < lanes_; ++i) {
      llvm::Value *made = once(instruction, build_.getInt32(i));
      if (type) result = values_.insert(build_, result, made, build_.getInt32(i));
    }
    return result;
  }
  llvm::BasicBlock *before = build_.GetInsertBlock();
  llvm::BasicBlock *each = new_block("lane"), *after = new_block("lanes.done");
  llvm::Value *todo = bits(mask_);
  llvm::Value *nobody = build_.getIntN(lanes_, 0);
  build_.CreateCondBr(build_.CreateICmpNE(todo, nobody), each, after);

  build_.SetInsertPoint(each);
  llvm::PHINode *left = build_.CreatePHI(todo->getType(), 2, "lanes.left");
  llvm::PHINode *so_far = type ? build_.CreatePHI(type, 2) : nullptr;
  llvm::Value *number = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build_.getTrue());
  llvm::Value *lane = build_.CreateZExtOrTrunc(number, build_.getInt32Ty(), "lane");
  llvm::Value *made = once(instruction, lane);
  llvm::Value *result = type ? values_.insert(build_, so_far, made, lane) : nullptr;
  llvm::Value *rest = build_.CreateAnd(left, build_.CreateSub(left, build_.getIntN(lanes_, 1)));
  mark_vectorised(build_.CreateCondBr(build_.CreateICmpNE(rest, nobody), each, after));
  left->addIncoming(todo, before);
  left->addIncoming(rest, each);

  build_.SetInsertPoint(after);
  if (!type) return nullptr;
  so_far->addIncoming(llvm::PoisonValue::get(type), before);
  so_far->addIncoming(result, each);
  llvm::PHINode *all = build_.CreatePHI(type, 2, instruction.getName());
  all->addIncoming(llvm::PoisonValue::get(type), before);
  all->addIncoming(result, each);
  return all;
}

}  // namespace dpep::jit::spmd
