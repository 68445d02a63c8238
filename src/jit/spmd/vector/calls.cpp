// Calls: vectorisable intrinsics for all lanes at once, everything else once for each lane.
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

llvm::Value *vector_code::emit_call(llvm::CallBase &call) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    if (llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) || has_overflow_bit(intrinsic->getIntrinsicID()))
      return emit_intrinsic(*intrinsic);
  return emit_per_lane(call);
}

llvm::Value *vector_code::emit_intrinsic(llvm::IntrinsicInst &call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  llvm::SmallVector<llvm::Value *> arguments;
  for (const auto &[number, argument] : llvm::enumerate(call.args())) {
    const bool scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, static_cast<unsigned>(number), &analyses_.target);
    if (scalar && !shapes_.of(argument).is_uniform()) return emit_per_lane(call);  // powi with a varying exponent
    arguments.push_back(scalar ? values_.first(argument) : values_.wide(argument));
  }
  llvm::CallInst *made = build_.CreateIntrinsic(values_.widen(call.getType()), id, arguments);
  made->copyIRFlags(&call);
  if (llvm::MDNode *accuracy = call.getMetadata(llvm::LLVMContext::MD_fpmath))
    made->setMetadata(llvm::LLVMContext::MD_fpmath, accuracy);
  return made;
}

// The first active lane whose condition holds ends the kernel for all work-items.
void vector_code::emit_noreturn_exit(llvm::CallInst &call) {
  llvm::Value *condition = call.getArgOperand(0);
  const bool uniform = shapes_.of(condition).is_uniform();
  llvm::Value *exits = uniform ? mask_ : mask_and(mask_, values_.wide(condition));
  llvm::Value *any_exits =
      uniform ? build_.CreateLogicalAnd(any_lane(mask_), values_.first(condition)) : any_lane(exits);
  llvm::BasicBlock *exit = new_block("noreturn.exit"), *after = new_block("passed");
  build_.CreateCondBr(any_exits, exit, after, llvm::MDBuilder(build_.getContext()).createUnlikelyBranchWeights());

  build_.SetInsertPoint(exit);
  llvm::Value *number = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask_as_integer(exits), build_.getTrue());
  llvm::Value *lane = build_.CreateZExtOrTrunc(number, build_.getInt32Ty(), "lane");
  llvm::SmallVector<llvm::Value *> arguments{build_.getTrue()};
  for (llvm::Value *argument : llvm::drop_begin(call.args())) arguments.push_back(values_.at(build_, argument, lane));
  build_.CreateCall(call.getCalledFunction(), arguments)->setDoesNotThrow();
  build_.CreateUnreachable();

  build_.SetInsertPoint(after);
}

llvm::Value *vector_code::emit_for_lane(llvm::Instruction &instruction, llvm::Value *lane) {
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction.operands())
    if (llvm::isa<llvm::MetadataAsValue>(operand))
      operands.push_back(operand);
    else if (deferred_.contains(operand))
      operands.push_back(emit_for_lane(llvm::cast<llvm::Instruction>(*operand), lane));
    else
      operands.push_back(values_.at(build_, operand, lane));
  llvm::Instruction *made = instruction.clone();
  for (const auto &[number, operand] : llvm::enumerate(operands))
    made->setOperand(static_cast<unsigned>(number), operand);
  return build_.Insert(made);
}

// A value whose only user is emitted once for each lane (such as the address of a histogram's counter) is computed
// there: building a vector and extracting its elements costs more than the vector saves.
bool vector_code::can_defer_to_lanes(const llvm::Instruction &instruction) const {
  constexpr int max_steps = 8;
  if (!is_all_lanes(mask_)) return false;
  const llvm::Instruction *at = &instruction;
  bool loads = false;
  for (int steps = 0; steps < max_steps; ++steps) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(at);
    const bool plain = load ? load->isSimple() && !groups_->find(load)
                            : llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator>(at);
    if (!plain || at->isIntDivRem() || variables_.is_lane_interleaved(at) || !at->hasOneUse()) return false;
    loads |= load != nullptr;
    at = llvm::cast<llvm::Instruction>(*at->user_begin());
    if (at->getParent() != instruction.getParent()) return false;
    const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(at);
    if (!update || shapes_.of(update->getPointerOperand()).is_uniform()) continue;
    // A load that is deferred must not move past a store.
    const auto between = llvm::make_range(std::next(instruction.getIterator()), at->getIterator());
    return !loads || llvm::none_of(between, [](const llvm::Instruction &each) { return each.mayWriteToMemory(); });
  }
  return false;
}

// A loop over the active lanes: unrolled, it would be as many copies as there are lanes.
llvm::Value *vector_code::emit_per_lane(llvm::Instruction &instruction) {
  llvm::Type *type =
      instruction.getType()->isVoidTy() || instruction.use_empty() ? nullptr : values_.widen(instruction.getType());
  // Single instructions are unrolled if all lanes are active.
  if (is_all_lanes(mask_) && !llvm::isa<llvm::CallBase>(instruction)) {
    llvm::Value *result = type ? llvm::PoisonValue::get(type) : nullptr;
    for (unsigned i = 0; i < lanes_; ++i) {
      llvm::Value *made = emit_for_lane(instruction, build_.getInt32(i));
      if (type) result = values_.insert(build_, result, made, build_.getInt32(i));
    }
    return result;
  }
  llvm::BasicBlock *before = build_.GetInsertBlock();
  llvm::BasicBlock *each = new_block("lane"), *after = new_block("lanes.done");
  llvm::Value *todo = mask_as_integer(mask_);
  llvm::Value *no_lanes = build_.getIntN(lanes_, 0);
  build_.CreateCondBr(build_.CreateICmpNE(todo, no_lanes), each, after);

  build_.SetInsertPoint(each);
  llvm::PHINode *left = build_.CreatePHI(todo->getType(), 2, "lanes.left");
  llvm::PHINode *so_far = type ? build_.CreatePHI(type, 2) : nullptr;
  llvm::Value *number = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build_.getTrue());
  llvm::Value *lane = build_.CreateZExtOrTrunc(number, build_.getInt32Ty(), "lane");
  llvm::Value *made = emit_for_lane(instruction, lane);
  llvm::Value *result = type ? values_.insert(build_, so_far, made, lane) : nullptr;
  llvm::Value *rest = build_.CreateAnd(left, build_.CreateSub(left, build_.getIntN(lanes_, 1)));
  mark_vectorised(build_.CreateCondBr(build_.CreateICmpNE(rest, no_lanes), each, after));
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
