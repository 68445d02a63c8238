// Comparisons for all lanes, with cheaper forms for ids that are compared with a bound or tested for bits.
#include "jit/spmd/vector/comparisons.hpp"

#include <llvm/IR/PatternMatch.h>

#include "jit/spmd/vector/masks.hpp"

namespace dpep::jit::spmd {
namespace {

// Compares 64-bit ids with a uniform bound: computes the number of lanes below the bound in a few scalar instructions,
// and compares it with the lane numbers in a narrow type.
llvm::Value *compare_with_bound(vector_code &code, llvm::CmpInst &compare) {
  llvm::Value *id = compare.getOperand(0), *bound = compare.getOperand(1);
  llvm::CmpInst::Predicate predicate = compare.getPredicate();
  if (code.shapes.of(id).is_uniform()) {
    std::swap(id, bound);
    predicate = compare.getSwappedPredicate();
  }
  const shape ids = code.shapes.of(id);
  llvm::Type *type = id->getType();
  if (!type->isIntegerTy(64) || !ids.is_strided() || ids.stride != 1 || !code.shapes.of(bound).is_uniform())
    return nullptr;
  const bool is_signed = llvm::CmpInst::isSigned(predicate), equality = llvm::ICmpInst::isEquality(predicate);
  if (!equality && !(is_signed ? ids.sign_extends : ids.zero_extends)) return nullptr;

  llvm::Value *first = code.values.first(id), *limit = code.values.first(bound);
  llvm::Value *below = code.build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, code.build.CreateSub(limit, first),
                                                        llvm::ConstantInt::get(type, code.lanes));
  const bool inclusive = predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE ||
                         predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SGT;
  if (inclusive) below = code.build.CreateAdd(below, llvm::ConstantInt::get(type, 1));
  if (!equality) {
    llvm::Value *none = is_signed ? code.build.CreateICmpSLT(limit, first) : code.build.CreateICmpULT(limit, first);
    below = code.build.CreateSelect(none, llvm::ConstantInt::get(type, 0), below);
  }
  llvm::Type *number = code.build.getIntNTy(code.lanes <= 16 ? 32 : code.lanes == 32 ? 16 : 8);
  llvm::SmallVector<llvm::Constant *> lanes;
  for (unsigned i = 0; i < code.lanes; ++i) lanes.push_back(llvm::ConstantInt::get(number, i));
  const bool within = predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SLT ||
                      predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE;
  const llvm::CmpInst::Predicate lane_predicate = equality ? predicate
                                                  : within ? llvm::CmpInst::ICMP_ULT
                                                           : llvm::CmpInst::ICMP_UGE;
  return code.build.CreateICmp(lane_predicate, llvm::ConstantVector::get(lanes),
                               code.build.CreateVectorSplat(code.lanes, code.build.CreateTrunc(below, number)));
}

// Tests bits of an id, `(id & bits) == 0`. All lanes of a vector have the bits above the lane number in common: these
// are tested once, in a scalar. The test of the lane number's bits is mostly loop-invariant.
//
// Lane 0's id is a multiple of the number of lanes, so lane n's id is first | n: (id & bits) is nonzero if (first &
// bits) or (n & bits) is. Profitable only where masks are integers in mask registers (AVX-512); elsewhere the integer
// would have to be broadcast and compared again.
llvm::Value *test_bits(vector_code &code, llvm::CmpInst &compare) {
  using namespace llvm::PatternMatch;
  llvm::Value *id = nullptr, *bits = nullptr;
  llvm::CmpPredicate predicate;
  if (!match(&compare, m_ICmp(predicate, m_And(m_Value(id), m_Value(bits)), m_Zero()))) return nullptr;
  if (!llvm::ICmpInst::isEquality(predicate)) return nullptr;
  if (!code.shapes.of(id).aligned) std::swap(id, bits);
  if (!code.shapes.of(id).aligned || !code.shapes.of(bits).is_uniform()) return nullptr;
  const llvm::StringRef features = code.items.header->getParent()->getFnAttribute("target-features").getValueAsString();
  if (code.lanes < 8 || !features.contains("+avx512bw")) return nullptr;

  llvm::SmallVector<llvm::Constant *> lane_numbers;
  for (unsigned i = 0; i < code.lanes; ++i) lane_numbers.push_back(llvm::ConstantInt::get(id->getType(), i));
  llvm::Type *mask_integer = code.build.getIntNTy(code.lanes);
  llvm::Value *common = code.build.CreateAnd(code.values.first(id), code.values.first(bits)),
              *own = code.build.CreateAnd(llvm::ConstantVector::get(lane_numbers), code.values.wide(bits));
  common = code.build.CreateICmp(predicate, common, llvm::Constant::getNullValue(common->getType()));
  own = code.build.CreateICmp(predicate, own, llvm::Constant::getNullValue(own->getType()));
  common = code.build.CreateSExt(common, mask_integer);
  own = code.build.CreateBitCast(own, mask_integer);
  return code.build.CreateBitCast(predicate == llvm::CmpInst::ICMP_EQ ? code.build.CreateAnd(common, own)
                                                                      : code.build.CreateOr(common, own),
                                  code.all_lanes->getType());
}

}  // namespace

llvm::Value *emit_comparison(vector_code &code, llvm::CmpInst &compare) {
  if (llvm::Value *made = compare_with_bound(code, compare)) return made;
  if (llvm::Value *made = test_bits(code, compare)) return made;
  llvm::Value *left = code.values.wide(compare.getOperand(0)), *right = code.values.wide(compare.getOperand(1));
  llvm::Value *made = code.build.CreateCmp(compare.getPredicate(), left, right);
  if (auto *one = llvm::dyn_cast<llvm::Instruction>(made)) one->copyIRFlags(&compare);
  return made;
}

}  // namespace dpep::jit::spmd
