// Operations on lane masks. Those on constant masks emit no code.
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

// Conditions may be poison in inactive lanes, which `and` propagates and `select` does not.
llvm::Value *vector_code::mask_and(llvm::Value *a, llvm::Value *b) {
  if (a == all_ || b == none_ || a == b) return b;
  if (b == all_ || a == none_) return a;
  return build_.CreateSelect(a, b, none_);
}

llvm::Value *vector_code::mask_or(llvm::Value *a, llvm::Value *b) {
  if (a == all_ || b == none_ || a == b) return a;
  if (b == all_ || a == none_) return b;
  return build_.CreateOr(a, b);
}

llvm::Value *vector_code::mask_not(llvm::Value *a) {
  if (a == all_) return none_;
  if (a == none_) return all_;
  return build_.CreateNot(a);
}

// Compares 64-bit ids with a uniform bound: computes the number of lanes below the bound in a few scalar instructions,
// and compares it with the lane numbers in a narrow type.
llvm::Value *vector_code::compare_with_bound(llvm::CmpInst &compare) {
  llvm::Value *id = compare.getOperand(0), *bound = compare.getOperand(1);
  llvm::CmpInst::Predicate predicate = compare.getPredicate();
  if (shapes_.of(id).is_uniform()) {
    std::swap(id, bound);
    predicate = compare.getSwappedPredicate();
  }
  const shape ids = shapes_.of(id);
  llvm::Type *type = id->getType();
  if (!type->isIntegerTy(64) || !ids.is_strided() || ids.stride != 1 || !shapes_.of(bound).is_uniform()) return nullptr;
  const bool is_signed = llvm::CmpInst::isSigned(predicate), equality = llvm::ICmpInst::isEquality(predicate);
  if (!equality && !(is_signed ? ids.sign_extends : ids.zero_extends)) return nullptr;

  llvm::Value *first = values_.first(id), *limit = values_.first(bound);
  llvm::Value *below = build_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, build_.CreateSub(limit, first),
                                                    llvm::ConstantInt::get(type, lanes_));
  const bool inclusive = predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE ||
                         predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SGT;
  if (inclusive) below = build_.CreateAdd(below, llvm::ConstantInt::get(type, 1));
  if (!equality) {
    llvm::Value *none = is_signed ? build_.CreateICmpSLT(limit, first) : build_.CreateICmpULT(limit, first);
    below = build_.CreateSelect(none, llvm::ConstantInt::get(type, 0), below);
  }
  llvm::Type *number = build_.getIntNTy(lanes_ <= 16 ? 32 : lanes_ == 32 ? 16 : 8);
  llvm::SmallVector<llvm::Constant *> lanes;
  for (unsigned i = 0; i < lanes_; ++i) lanes.push_back(llvm::ConstantInt::get(number, i));
  const bool within = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SLT ||
                      predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE;
  const llvm::CmpInst::Predicate lane_predicate = equality ? predicate
                                                  : within ? llvm::CmpInst::ICMP_ULT
                                                           : llvm::CmpInst::ICMP_UGE;
  return build_.CreateICmp(lane_predicate, llvm::ConstantVector::get(lanes),
                           build_.CreateVectorSplat(lanes_, build_.CreateTrunc(below, number)));
}

llvm::Value *vector_code::mask_as_integer(llvm::Value *mask) {
  return build_.CreateBitCast(mask, build_.getIntNTy(lanes_));
}

llvm::Value *vector_code::any_lane(llvm::Value *mask) {
  if (mask == all_) return build_.getTrue();
  if (mask == none_) return build_.getFalse();
  return build_.CreateICmpNE(mask_as_integer(mask), build_.getIntN(lanes_, 0));
}

llvm::Value *vector_code::select_lanes(llvm::Value *mask, llvm::Value *a, llvm::Value *b) {
  if (mask == all_ || a == b || llvm::isa<llvm::PoisonValue>(b)) return a;
  if (mask == none_) return b;
  llvm::Type *type = a->getType();
  if (!type->isAggregateType()) return build_.CreateSelect(mask, a, b);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < parts; ++i)
    b = build_.CreateInsertValue(
        b, select_lanes(mask, build_.CreateExtractValue(a, i), build_.CreateExtractValue(b, i)), i);
  return b;
}

}  // namespace dpep::jit::spmd
