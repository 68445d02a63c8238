// Bit casts of vectors as integer operations on elements. InstCombine makes such casts of conversions of elements.
#include "jit/spmd/vector/vector_casts.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit::spmd {
namespace {

unsigned elements_of(llvm::Type *type) {
  const auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The elements of a value as integers, the lowest first; the value itself if it is no vector.
llvm::SmallVector<llvm::Value *, 16> integers_of(llvm::IRBuilder<> &build, llvm::Value *value) {
  llvm::SmallVector<llvm::Value *, 16> elements;
  const unsigned count = elements_of(value->getType());
  llvm::Type *const integer = build.getIntNTy(value->getType()->getScalarSizeInBits());
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value *const element =
        value->getType()->isVectorTy() ? build.CreateExtractElement(value, std::uint64_t{i}) : value;
    elements.push_back(build.CreateBitCast(element, integer));
  }
  return elements;
}

/// The integers of `bits` bits each that have the same bits, of which there are `count`.
llvm::SmallVector<llvm::Value *, 16> regrouped(llvm::IRBuilder<> &build, llvm::ArrayRef<llvm::Value *> from,
                                               unsigned from_bits, unsigned bits, unsigned count) {
  llvm::SmallVector<llvm::Value *, 16> to;
  llvm::Type *const type = build.getIntNTy(bits);
  for (unsigned i = 0; i < count; ++i) {
    if (bits <= from_bits) {
      const unsigned parts = from_bits / bits;
      to.push_back(build.CreateTrunc(build.CreateLShr(from[i / parts], std::uint64_t{i % parts * bits}), type));
      continue;
    }
    const unsigned parts = bits / from_bits;
    llvm::Value *joined = build.CreateZExt(from[i * parts], type);
    for (unsigned part = 1; part < parts; ++part) {
      llvm::Value *const shifted =
          build.CreateShl(build.CreateZExt(from[i * parts + part], type), std::uint64_t{part * from_bits});
      joined = build.CreateOr(joined, shifted);
    }
    to.push_back(joined);
  }
  return to;
}

bool is_expandable(const llvm::BitCastInst &cast) {
  llvm::Type *const from = cast.getSrcTy(), *const to = cast.getDestTy();
  if (!from->isVectorTy() && !to->isVectorTy()) return false;
  if (llvm::isa<llvm::ScalableVectorType>(from) || llvm::isa<llvm::ScalableVectorType>(to)) return false;
  if (elements_of(from) == elements_of(to) && from->isVectorTy() == to->isVectorTy()) return false;  // Scalarizer's
  if (from->isPtrOrPtrVectorTy() || to->isPtrOrPtrVectorTy()) return false;
  const unsigned from_bits = from->getScalarSizeInBits(), to_bits = to->getScalarSizeInBits();
  return from_bits <= 64 && to_bits <= 64 && (from_bits % to_bits == 0 || to_bits % from_bits == 0);
}

}  // namespace

void expand_vector_casts(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast || !is_expandable(*cast)) continue;
    llvm::IRBuilder<> build(cast);
    llvm::Type *const type = cast->getDestTy();
    const auto from = integers_of(build, cast->getOperand(0));
    const auto to =
        regrouped(build, from, cast->getSrcTy()->getScalarSizeInBits(), type->getScalarSizeInBits(), elements_of(type));
    llvm::Value *result = type->isVectorTy() ? llvm::PoisonValue::get(type) : nullptr;
    for (unsigned i = 0; i < to.size(); ++i) {
      llvm::Value *const element = build.CreateBitCast(to[i], type->getScalarType());
      result = type->isVectorTy() ? build.CreateInsertElement(result, element, std::uint64_t{i}) : element;
    }
    cast->replaceAllUsesWith(result);
    cast->eraseFromParent();
  }
}

}  // namespace dpep::jit::spmd
