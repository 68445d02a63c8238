// Masks: which lanes of a vector are meant. Operations on masks that are known take no code.
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

// Conditions may be poison in lanes that they are not meant for, which `and` would pass on and a selection does not.
llvm::Value *vector_code::both(llvm::Value *a, llvm::Value *b) {
  if (a == all_ || b == none_ || a == b) return b;
  if (b == all_ || a == none_) return a;
  return build_.CreateSelect(a, b, none_);
}

llvm::Value *vector_code::either(llvm::Value *a, llvm::Value *b) {
  if (a == all_ || b == none_ || a == b) return a;
  if (b == all_ || a == none_) return b;
  return build_.CreateOr(a, b);
}

llvm::Value *vector_code::opposite(llvm::Value *a) {
  if (a == all_) return none_;
  if (a == none_) return all_;
  return build_.CreateNot(a);
}

llvm::Value *vector_code::bits(llvm::Value *mask) { return build_.CreateBitCast(mask, build_.getIntNTy(lanes_)); }

llvm::Value *vector_code::any(llvm::Value *mask) {
  if (mask == all_) return build_.getTrue();
  if (mask == none_) return build_.getFalse();
  return build_.CreateICmpNE(bits(mask), build_.getIntN(lanes_, 0));
}

llvm::Value *vector_code::choose(llvm::Value *mask, llvm::Value *a, llvm::Value *b) {
  if (mask == all_ || a == b || llvm::isa<llvm::PoisonValue>(b)) return a;
  if (mask == none_) return b;
  llvm::Type *type = a->getType();
  if (!type->isAggregateType()) return build_.CreateSelect(mask, a, b);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < parts; ++i)
    b = build_.CreateInsertValue(b, choose(mask, build_.CreateExtractValue(a, i), build_.CreateExtractValue(b, i)), i);
  return b;
}

}  // namespace dpep::jit::spmd
