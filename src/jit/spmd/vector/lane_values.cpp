// Broadcasts and expansion of scalars to vectors, and extraction of lanes.
#include "jit/spmd/vector/lane_values.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>

namespace dpep::jit::spmd {

llvm::Type *wide_type(llvm::Type *type, unsigned lanes) {
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<llvm::Type *> parts;
    for (llvm::Type *element : structure->elements()) {
      parts.push_back(wide_type(element, lanes));
      if (!parts.back()) return nullptr;
    }
    return llvm::StructType::get(type->getContext(), parts, structure->isPacked());
  }
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    llvm::Type *element = wide_type(array->getElementType(), lanes);
    return element ? llvm::ArrayType::get(element, array->getNumElements()) : nullptr;
  }
  return llvm::VectorType::isValidElementType(type) ? llvm::FixedVectorType::get(type, lanes) : nullptr;
}

lane_values::lane_values(const shapes &shapes, unsigned lanes, llvm::BasicBlock *preheader)
    : shapes_(shapes), lanes_(lanes), preheader_(preheader) {}

llvm::Value *lane_values::first(llvm::Value *value) const {
  const auto found = first_.find(value);
  return found == first_.end() ? value : found->second;
}

llvm::Value *lane_values::broadcast(llvm::IRBuilder<> &build, llvm::Value *value) const {
  llvm::Type *type = value->getType();
  if (!type->isAggregateType()) return build.CreateVectorSplat(lanes_, value);
  llvm::Value *result = llvm::PoisonValue::get(widen(type));
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < parts; ++i)
    result = build.CreateInsertValue(result, broadcast(build, build.CreateExtractValue(value, i)), i);
  return result;
}

llvm::Value *lane_values::lane_xor(llvm::IRBuilder<> &build, const shape &how, llvm::Type *type) const {
  llvm::Value *operand = build.CreateZExtOrTrunc(first(const_cast<llvm::Value *>(how.xor_operand)), type);
  return build.CreateAnd(operand, llvm::ConstantInt::get(type, lanes_ - 1));
}

llvm::Value *lane_values::expand(llvm::IRBuilder<> &build, llvm::Value *first, const shape &how) const {
  const bool address = first->getType()->isPointerTy();
  llvm::Type *type = address ? build.getInt64Ty() : first->getType();
  llvm::SmallVector<llvm::Constant *> steps;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const llvm::APInt step = llvm::APInt(64, static_cast<std::uint64_t>(how.is_permuted() ? 1 : how.stride) * lane)
                                 .sextOrTrunc(type->getScalarSizeInBits());
    steps.push_back(llvm::ConstantInt::get(type, step));
  }
  llvm::Value *offsets = llvm::ConstantVector::get(steps);
  if (how.is_permuted()) {
    offsets = build.CreateXor(offsets, build.CreateVectorSplat(lanes_, lane_xor(build, how, type)));
    offsets =
        build.CreateMul(offsets, llvm::ConstantInt::getSigned(offsets->getType(), how.stride, /*ImplicitTrunc=*/true));
  }
  return address ? build.CreatePtrAdd(first, offsets)
                 : build.CreateAdd(build.CreateVectorSplat(lanes_, first), offsets);
}

llvm::Value *lane_values::wide(llvm::Value *value) {
  if (const auto found = wide_.find(value); found != wide_.end()) return found->second;
  const auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant && llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(widen(value->getType()));
  if (constant && llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(widen(value->getType()));

  // Directly behind the scalar's definition, so that the vector dominates every use that the scalar dominates.
  llvm::Value *scalar = first(value);
  auto *definition = llvm::dyn_cast<llvm::Instruction>(scalar);
  llvm::IRBuilder<> build(scalar->getContext());
  if (definition && blocks_.contains(definition->getParent())) {
    llvm::BasicBlock *block = definition->getParent();  // perhaps without a terminator
    build.SetInsertPoint(block, llvm::isa<llvm::PHINode>(definition) ? block->getFirstNonPHIIt()
                                                                     : std::next(definition->getIterator()));
  } else {
    build.SetInsertPoint(preheader_->getTerminator());
  }
  const shape known = shapes_.of(value);
  llvm::Value *made = known.is_uniform() ? broadcast(build, scalar) : expand(build, scalar, known);
  return wide_[value] = made;
}

llvm::Value *lane_values::extract(llvm::IRBuilder<> &build, llvm::Value *wide, llvm::Type *type,
                                  llvm::Value *lane) const {
  if (!type->isAggregateType()) return build.CreateExtractElement(wide, lane);
  llvm::Value *result = llvm::PoisonValue::get(type);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < parts; ++i) {
    llvm::Type *part = llvm::GetElementPtrInst::getTypeAtIndex(type, std::uint64_t{i});
    result = build.CreateInsertValue(result, extract(build, build.CreateExtractValue(wide, i), part, lane), i);
  }
  return result;
}

llvm::Value *lane_values::insert(llvm::IRBuilder<> &build, llvm::Value *wide, llvm::Value *value,
                                 llvm::Value *lane) const {
  llvm::Type *type = wide->getType();
  if (!type->isAggregateType()) return build.CreateInsertElement(wide, value, lane);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < parts; ++i) {
    llvm::Value *part = insert(build, build.CreateExtractValue(wide, i), build.CreateExtractValue(value, i), lane);
    wide = build.CreateInsertValue(wide, part, i);
  }
  return wide;
}

llvm::Value *lane_values::at(llvm::IRBuilder<> &build, llvm::Value *value, llvm::Value *lane) {
  const shape known = shapes_.of(value);
  if (!known.is_varying()) return at(build, first(value), known, lane);
  // Neighbours share the lane of the address from which their distances are constant.
  if (auto *const address = llvm::dyn_cast<llvm::GetElementPtrInst>(value);
      address && address->hasAllConstantIndices() && address->getType()->isPointerTy() &&
      !llvm::isa<llvm::AllocaInst>(
          llvm::getUnderlyingObject(address, /*MaxLookup=*/0))) {  // lanes' arrays: interleaved
    llvm::APInt distance(address->getDataLayout().getIndexTypeSizeInBits(address->getType()), 0);
    if (address->accumulateConstantOffset(address->getDataLayout(), distance))
      return build.CreatePtrAdd(at(build, address->getPointerOperand(), lane), build.getInt(distance));
  }
  return extract(build, wide(value), value->getType(), lane);
}

llvm::Value *lane_values::at(llvm::IRBuilder<> &build, llvm::Value *first, const shape &known,
                             llvm::Value *lane) const {
  if (known.is_uniform()) return first;
  const bool address = first->getType()->isPointerTy();
  llvm::Type *type = address ? build.getInt64Ty() : first->getType();
  lane = build.CreateZExtOrTrunc(lane, type);
  if (known.is_permuted()) lane = build.CreateXor(lane, lane_xor(build, known, type));
  llvm::Value *offset = build.CreateMul(lane, llvm::ConstantInt::getSigned(type, known.stride, /*ImplicitTrunc=*/true));
  return address ? build.CreatePtrAdd(first, offset) : build.CreateAdd(first, offset);
}

}  // namespace dpep::jit::spmd
