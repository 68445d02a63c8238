// Atomic operations: if the address is uniform, the lanes' operands are reduced to one first.
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/calls.hpp"
#include "jit/spmd/vector/masks.hpp"
#include "jit/spmd/vector/memory.hpp"

namespace dpep::jit::spmd {
namespace {

/// The operation's identity element; null: the lanes' operands cannot be reduced.
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

llvm::Value *emit_atomic(vector_code &code, llvm::AtomicRMWInst &atomic) {
  using op = llvm::AtomicRMWInst;
  llvm::Type *type = atomic.getType();
  llvm::Constant *identity = identity_of(atomic.getOperation(), type);
  const bool reducible = identity && !type->isVectorTy() && atomic.use_empty() && !atomic.isVolatile() &&
                         code.shapes.of(atomic.getPointerOperand()).is_uniform();
  if (!reducible) return emit_per_lane(code, atomic);
  llvm::Value *values =
      select_lanes(code, code.mask, code.values.wide(atomic.getValOperand()),
                   llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(code.lanes), identity));
  llvm::Value *reduced = nullptr;
  switch (atomic.getOperation()) {
  case op::Add:
  case op::Sub:
    reduced = code.build.CreateAddReduce(values);
    break;
  case op::And:
    reduced = code.build.CreateAndReduce(values);
    break;
  case op::Or:
    reduced = code.build.CreateOrReduce(values);
    break;
  case op::Xor:
    reduced = code.build.CreateXorReduce(values);
    break;
  case op::Max:
  case op::UMax:
    reduced = code.build.CreateIntMaxReduce(values, atomic.getOperation() == op::Max);
    break;
  case op::Min:
  case op::UMin:
    reduced = code.build.CreateIntMinReduce(values, atomic.getOperation() == op::Min);
    break;
  default: {
    llvm::CallInst *sum = code.build.CreateFAddReduce(identity, values);
    sum->setHasAllowReassoc(true);  // the order of work-items' additions is unspecified
    reduced = sum;
  }
  }
  llvm::Instruction *made = atomic.clone();
  made->setOperand(0, code.values.first(atomic.getPointerOperand()));
  made->setOperand(1, reduced);
  code.build.Insert(made);
  return nullptr;
}

}  // namespace dpep::jit::spmd
