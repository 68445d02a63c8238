// Operations on lane masks, which emit no code for constant masks.
#include "jit/spmd/vector/masks.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::jit::spmd {
namespace {

/// Of a mask `<0, 1, 2, …> < splat(number)`: the number. Lanes below it are active; it may exceed the number of lanes.
/// Null: it is another mask.
llvm::Value *number_of_first_lanes(llvm::Value *mask) {
  using namespace llvm::PatternMatch;
  llvm::Value *number = nullptr;
  llvm::Constant *lanes = nullptr;
  if (!match(mask, m_SpecificICmp(llvm::ICmpInst::ICMP_ULT, m_Constant(lanes), m_Value(number)))) return nullptr;
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(lanes->getType())->getNumElements(); ++i)
    if (!match(lanes->getAggregateElement(i), m_SpecificInt(i))) return nullptr;
  return llvm::getSplatValue(number);
}

}  // namespace

// Conditions may be poison in inactive lanes, which `and` propagates and `select` does not.
llvm::Value *mask_and(vector_code &code, llvm::Value *a, llvm::Value *b) {
  if (a == code.all_lanes || b == code.no_lanes || a == b) return b;
  if (b == code.all_lanes || a == code.no_lanes) return a;
  return code.build.CreateSelect(a, b, code.no_lanes);
}

llvm::Value *mask_or(vector_code &code, llvm::Value *a, llvm::Value *b) {
  if (a == code.all_lanes || b == code.no_lanes || a == b) return a;
  if (b == code.all_lanes || a == code.no_lanes) return b;
  return code.build.CreateOr(a, b);
}

llvm::Value *mask_not(vector_code &code, llvm::Value *a) {
  if (a == code.all_lanes) return code.no_lanes;
  if (a == code.no_lanes) return code.all_lanes;
  return code.build.CreateNot(a);
}

llvm::Value *mask_as_integer(vector_code &code, llvm::Value *mask) {
  return code.build.CreateBitCast(mask, code.build.getIntNTy(code.lanes));
}

llvm::Value *any_lane(vector_code &code, llvm::Value *mask) {
  if (mask == code.all_lanes) return code.build.getTrue();
  if (mask == code.no_lanes) return code.build.getFalse();
  if (llvm::Value *number = number_of_first_lanes(mask)) return code.build.CreateIsNotNull(number);
  return code.build.CreateICmpNE(mask_as_integer(code, mask), code.build.getIntN(code.lanes, 0));
}

llvm::Value *every_lane(vector_code &code, llvm::Value *mask) {
  if (mask == code.all_lanes) return code.build.getTrue();
  if (mask == code.no_lanes) return code.build.getFalse();
  if (llvm::Value *number = number_of_first_lanes(mask))
    return code.build.CreateICmpUGE(number, llvm::ConstantInt::get(number->getType(), code.lanes));
  llvm::Value *bits = mask_as_integer(code, mask);
  return code.build.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
}

llvm::Value *select_lanes(vector_code &code, llvm::Value *mask, llvm::Value *a, llvm::Value *b) {
  if (mask == code.all_lanes || a == b || llvm::isa<llvm::PoisonValue>(b)) return a;
  if (mask == code.no_lanes) return b;
  llvm::Type *type = a->getType();
  if (!type->isAggregateType()) return code.build.CreateSelect(mask, a, b);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < parts; ++i)
    b = code.build.CreateInsertValue(
        b, select_lanes(code, mask, code.build.CreateExtractValue(a, i), code.build.CreateExtractValue(b, i)), i);
  return b;
}

}  // namespace dpep::jit::spmd
