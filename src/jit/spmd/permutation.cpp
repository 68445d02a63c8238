// The permutation instructions of x86. LLVM's back end also finds them in extract and insert sequences, but not once
// the extracts of a loop-invariant order have been hoisted out of a loop.
#include "jit/spmd/permutation.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace dpep::jit::spmd {
namespace {

struct permutation {
  unsigned element_bits, bits;
  const char *feature;  // required of the processor
  llvm::Intrinsic::ID id;
};

constexpr permutation permutations[] = {
    {32, 512, "+avx512f", llvm::Intrinsic::x86_avx512_permvar_si_512},
    {64, 512, "+avx512f", llvm::Intrinsic::x86_avx512_permvar_di_512},
    {16, 512, "+avx512bw", llvm::Intrinsic::x86_avx512_permvar_hi_512},
    {8, 512, "+avx512vbmi", llvm::Intrinsic::x86_avx512_permvar_qi_512},
    {32, 256, "+avx2", llvm::Intrinsic::x86_avx2_permd},
    {64, 256, "+avx512vl", llvm::Intrinsic::x86_avx512_permvar_di_256},
};

const permutation *permutation_for(const llvm::FixedVectorType &type, llvm::StringRef features) {
  const unsigned element_bits = type.getScalarSizeInBits(), bits = element_bits * type.getNumElements();
  const auto *found = llvm::find_if(permutations, [&](const permutation &each) {
    return each.element_bits == element_bits && each.bits == bits && features.contains(each.feature);
  });
  return found == std::end(permutations) ? nullptr : found;
}

/// Permutes elements of several bytes by a permutation of bytes.
llvm::Value *by_bytes(llvm::IRBuilder<> &build, llvm::Value *values, llvm::Value *source) {
  auto *type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const unsigned size = type->getScalarSizeInBits() / 8;
  auto *bytes = llvm::FixedVectorType::get(build.getInt8Ty(), 16);
  llvm::SmallVector<int> whole;
  llvm::SmallVector<llvm::Constant *> place;
  for (unsigned i = 0; i < 16; ++i) {
    whole.push_back(static_cast<int>(i / size));
    place.push_back(build.getInt8(static_cast<std::uint8_t>(i % size)));
  }
  source = build.CreateShuffleVector(
      build.CreateZExtOrTrunc(source, llvm::FixedVectorType::get(build.getInt8Ty(), type->getNumElements())), whole);
  source =
      build.CreateAdd(build.CreateMul(source, llvm::ConstantInt::get(bytes, size)), llvm::ConstantVector::get(place));
  return build.CreateBitCast(build.CreateIntrinsic(bytes, llvm::Intrinsic::x86_ssse3_pshuf_b_128,
                                                   {build.CreateBitCast(values, bytes), source}),
                             type);
}

llvm::StringRef features_of(const llvm::Function &function) {
  return function.getFnAttribute("target-features").getValueAsString();
}

/// Permutes values in several registers: each half of the result takes elements of both halves.
llvm::Value *by_halves(llvm::IRBuilder<> &build, llvm::Value *values, llvm::Value *source) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(values->getType())->getNumElements(), half = lanes / 2;
  llvm::SmallVector<int> all, low, high;
  for (unsigned i = 0; i < lanes; ++i) (i < half ? low : high).push_back(static_cast<int>(i));
  all.append(low), all.append(high);
  llvm::Value *const parts[] = {build.CreateShuffleVector(values, low), build.CreateShuffleVector(values, high)};
  llvm::Value *results[2];
  for (const unsigned side : {0U, 1U}) {
    llvm::Value *from = build.CreateShuffleVector(source, side ? high : low);
    llvm::Value *within = build.CreateAnd(from, llvm::ConstantInt::get(from->getType(), half - 1));
    llvm::Value *is_low = build.CreateICmpULT(from, llvm::ConstantInt::get(from->getType(), half));
    results[side] =
        build.CreateSelect(is_low, permute_lanes(build, parts[0], within), permute_lanes(build, parts[1], within));
  }
  return build.CreateShuffleVector(results[0], results[1], all);
}

}  // namespace

unsigned register_bits(const llvm::Function &function) {
  const llvm::StringRef features = features_of(function);
  return features.contains("+avx512f") ? 512 : features.contains("+avx2") ? 256 : 128;
}

llvm::Value *permute_lanes(llvm::IRBuilder<> &build, llvm::Value *values, llvm::Value *source) {
  auto *type = llvm::cast<llvm::FixedVectorType>(values->getType());
  const llvm::Function &function = *build.GetInsertBlock()->getParent();
  const llvm::StringRef features = features_of(function);
  auto *integers = llvm::cast<llvm::FixedVectorType>(llvm::VectorType::getInteger(type));
  if (const permutation *known = permutation_for(*type, features)) {
    llvm::Value *result = build.CreateIntrinsic(
        integers, known->id, {build.CreateBitCast(values, integers), build.CreateZExtOrTrunc(source, integers)});
    return build.CreateBitCast(result, type);
  }
  if (type->getPrimitiveSizeInBits() > register_bits(function) && llvm::isPowerOf2_32(type->getNumElements()))
    return by_halves(build, values, source);
  if (type->getPrimitiveSizeInBits() == 128 && features.contains("+ssse3")) return by_bytes(build, values, source);
  source = build.CreateZExtOrTrunc(source, integers);
  llvm::Value *result = llvm::PoisonValue::get(type);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    llvm::Value *element = build.CreateExtractElement(values, build.CreateExtractElement(source, lane));
    result = build.CreateInsertElement(result, element, lane);
  }
  return result;
}

}  // namespace dpep::jit::spmd
