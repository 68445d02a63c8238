// Tests of an id's bits, `(id & bits) == 0`. All lanes of a vector have the bits above the lane number in common: these
// are tested once, in a scalar. The test of the lane number's bits is mostly loop-invariant.
#include <llvm/IR/PatternMatch.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

// Lane 0's id is a multiple of the number of lanes, so lane n's id is first | n: (id & bits) is nonzero if (first &
// bits) or (n & bits) is. Profitable only where masks are integers in mask registers (AVX-512); elsewhere the integer
// would have to be broadcast and compared again.
llvm::Value *vector_code::test_bits(llvm::CmpInst &compare) {
  using namespace llvm::PatternMatch;
  llvm::Value *id = nullptr, *bits = nullptr;
  llvm::CmpPredicate predicate;
  if (!match(&compare, m_ICmp(predicate, m_And(m_Value(id), m_Value(bits)), m_Zero()))) return nullptr;
  if (!llvm::ICmpInst::isEquality(predicate)) return nullptr;
  if (!shapes_.of(id).aligned) std::swap(id, bits);
  if (!shapes_.of(id).aligned || !shapes_.of(bits).is_uniform()) return nullptr;
  const llvm::StringRef features = items_.header->getParent()->getFnAttribute("target-features").getValueAsString();
  if (lanes_ < 8 || !features.contains("+avx512bw")) return nullptr;

  llvm::SmallVector<llvm::Constant *> lane_numbers;
  for (unsigned i = 0; i < lanes_; ++i) lane_numbers.push_back(llvm::ConstantInt::get(id->getType(), i));
  llvm::Type *mask_integer = build_.getIntNTy(lanes_);
  llvm::Value *common = build_.CreateAnd(values_.first(id), values_.first(bits)),
              *own = build_.CreateAnd(llvm::ConstantVector::get(lane_numbers), values_.wide(bits));
  common = build_.CreateICmp(predicate, common, llvm::Constant::getNullValue(common->getType()));
  own = build_.CreateICmp(predicate, own, llvm::Constant::getNullValue(own->getType()));
  common = build_.CreateSExt(common, mask_integer);
  own = build_.CreateBitCast(own, mask_integer);
  return build_.CreateBitCast(predicate == llvm::CmpInst::ICMP_EQ ? build_.CreateAnd(common, own)
                                                                  : build_.CreateOr(common, own),
                              all_->getType());
}

}  // namespace dpep::jit::spmd
