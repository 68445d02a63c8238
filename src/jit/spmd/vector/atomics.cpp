// Atomic operations: lanes that add to the same place add up first.
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

/// What changes nothing in the operation; null: lanes can't be put together.
llvm::Constant *identity_of(llvm::AtomicRMWInst::BinOp operation, llvm::Type *type) {
  using atomic = llvm::AtomicRMWInst;
  const unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case atomic::Add:
  case atomic::Sub:
  case atomic::Or:
  case atomic::Xor:
  case atomic::UMax:
    return llvm::ConstantInt::get(type, 0);
  case atomic::And:
  case atomic::UMin:
    return llvm::Constant::getAllOnesValue(type);
  case atomic::Max:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
  case atomic::Min:
    return llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits));
  case atomic::FAdd:
  case atomic::FSub:
    return llvm::ConstantFP::getNegativeZero(type);
  default:
    return nullptr;
  }
}

}  // namespace

llvm::Value *vector_code::make_atomic(llvm::AtomicRMWInst &atomic) {
  using op = llvm::AtomicRMWInst;
  llvm::Type *type = atomic.getType();
  llvm::Constant *identity = identity_of(atomic.getOperation(), type);
  const bool together = identity && !type->isVectorTy() && atomic.use_empty() && !atomic.isVolatile() &&
                        shapes_.of(atomic.getPointerOperand()).is_uniform();
  if (!together) return lane_by_lane(atomic);
  llvm::Value *values = choose(mask_, values_.wide(atomic.getValOperand()),
                               llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), identity));
  llvm::Value *sum = nullptr;
  switch (atomic.getOperation()) {
  case op::Add:
  case op::Sub:
    sum = build_.CreateAddReduce(values);
    break;
  case op::And:
    sum = build_.CreateAndReduce(values);
    break;
  case op::Or:
    sum = build_.CreateOrReduce(values);
    break;
  case op::Xor:
    sum = build_.CreateXorReduce(values);
    break;
  case op::Max:
  case op::UMax:
    sum = build_.CreateIntMaxReduce(values, atomic.getOperation() == op::Max);
    break;
  case op::Min:
  case op::UMin:
    sum = build_.CreateIntMinReduce(values, atomic.getOperation() == op::Min);
    break;
  default: {
    llvm::CallInst *added = build_.CreateFAddReduce(identity, values);
    added->setHasAllowReassoc(true);  // work-items add in any order
    sum = added;
  }
  }
  llvm::Instruction *made = atomic.clone();
  made->setOperand(0, values_.first(atomic.getPointerOperand()));
  made->setOperand(1, sum);
  build_.Insert(made);
  return nullptr;
}

}  // namespace dpep::jit::spmd
