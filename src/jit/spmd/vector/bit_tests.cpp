// Tests of an id's bits, `(id & bits) == 0`: all lanes have the bits above those that count lanes in common, so these
// are tested once, as a number, and the others, which are mostly the same for all vectors, before the loop.
#include <llvm/IR/PatternMatch.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

// Lane 0's id is a multiple of the number of lanes, so lane n's has the bits of both: (id & bits) is not zero where
// (first & bits) is not or (n & bits) is not. Worth it where a mask and a number are the same thing in another
// register; else they would be spread and compared again.
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

  llvm::SmallVector<llvm::Constant *> numbers;
  for (unsigned i = 0; i < lanes_; ++i) numbers.push_back(llvm::ConstantInt::get(id->getType(), i));
  llvm::Type *number = build_.getIntNTy(lanes_);
  llvm::Value *common = build_.CreateAnd(values_.first(id), values_.first(bits)),
              *own = build_.CreateAnd(llvm::ConstantVector::get(numbers), values_.wide(bits));
  common = build_.CreateICmp(predicate, common, llvm::Constant::getNullValue(common->getType()));
  own = build_.CreateICmp(predicate, own, llvm::Constant::getNullValue(own->getType()));
  common = build_.CreateSExt(common, number);
  own = build_.CreateBitCast(own, number);
  return build_.CreateBitCast(predicate == llvm::CmpInst::ICMP_EQ ? build_.CreateAnd(common, own)
                                                                  : build_.CreateOr(common, own),
                              all_->getType());
}

}  // namespace dpep::jit::spmd
