// Gathers of elements of 8 and 16 bits as gathers of the aligned 32-bit words that contain them.
//
// Processors gather elements of 32 and 64 bits only. A word that contains an element is on the element's page, so
// reading it cannot fault.
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/vector/memory.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned word_bytes = 4;

/// The address base[index], plus a constant number of bytes.
struct indexed_address {
  llvm::Value *base, *index;
  std::int64_t offset;
};

/// The index of 32 bits or less that is extended.
llvm::Value *narrow_index(llvm::Value *index) {
  auto *cast = llvm::dyn_cast<llvm::CastInst>(index);
  const bool extends = cast && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast);
  if (!extends || cast->getSrcTy()->getScalarSizeInBits() > 32) return nullptr;
  const bool is_signed =
      llvm::isa<llvm::SExtInst>(cast) || cast->getSrcTy()->getScalarSizeInBits() < 32 || cast->hasNonNeg();
  return is_signed ? cast->getOperand(0) : nullptr;
}

std::optional<indexed_address> as_indexed(const vector_code &code, llvm::LoadInst &load, unsigned bytes) {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(load.getPointerOperand());
  if (!address || address->getType()->isVectorTy() || code.variables.is_lane_interleaved(address)) return std::nullopt;
  if (!code.shapes.of(address->getPointerOperand()).is_uniform()) return std::nullopt;
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  if (!address->collectOffset(load.getDataLayout(), 64, variable, constant) || variable.size() != 1)
    return std::nullopt;
  const auto &[index, step] = *variable.begin();
  if (step != bytes || !narrow_index(index)) return std::nullopt;
  return indexed_address{address->getPointerOperand(), index, constant.getSExtValue()};
}

/// Whether the pointer is into memory whose extent the compiler does not know: a word may reach beyond a variable.
bool has_unknown_extent(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  return llvm::all_of(objects,
                      [](const llvm::Value *object) { return llvm::isa<llvm::Argument, llvm::LoadInst>(object); });
}

/// The addresses of the words, and the positions of the elements in them, in bits.
struct words_of_elements {
  llvm::Value *pointers, *shifts;
};

words_of_elements words_at(vector_code &code, llvm::Value *pointers) {
  llvm::IRBuilder<> &build = code.build;
  llvm::Type *wide = code.values.widen(build.getInt64Ty()), *narrow = code.values.widen(build.getInt32Ty());
  llvm::Value *start = build.CreateIntrinsic(llvm::Intrinsic::ptrmask, {pointers->getType(), wide},
                                             {pointers, llvm::ConstantInt::get(wide, ~std::uint64_t{word_bytes - 1})});
  llvm::Value *bytes = build.CreateAnd(build.CreateTrunc(build.CreatePtrToInt(pointers, wide), narrow),
                                       llvm::ConstantInt::get(narrow, word_bytes - 1));
  return {start, build.CreateShl(bytes, 3)};
}

// With an index of 32 bits, gather instructions take a scalar base and twice as many lanes.
words_of_elements words_at(vector_code &code, const indexed_address &from, unsigned bytes) {
  llvm::IRBuilder<> &build = code.build;
  llvm::Type *narrow = code.values.widen(build.getInt32Ty());
  const unsigned in_word = word_bytes / bytes, log_in_word = in_word == 4 ? 2 : 1;  // elements
  const auto number = [&](unsigned value) { return llvm::ConstantInt::get(narrow, value); };
  llvm::Value *first = code.values.first(from.base);
  if (from.offset) first = build.CreatePtrAdd(first, build.getInt64(static_cast<std::uint64_t>(from.offset)));
  llvm::Value *start = build.CreateIntrinsic(llvm::Intrinsic::ptrmask, {first->getType(), build.getInt64Ty()},
                                             {first, build.getInt64(~std::uint64_t{word_bytes - 1})});
  llvm::Value *before = build.CreateTrunc(build.CreatePtrToInt(first, build.getInt64Ty()), build.getInt32Ty());
  before = build.CreateLShr(build.CreateAnd(before, word_bytes - 1), bytes - 1);  // elements in front of the first one
  llvm::Value *index = build.CreateTrunc(code.values.wide(from.index), narrow);
  llvm::Value *place =
      build.CreateAdd(build.CreateAnd(index, number(in_word - 1)), build.CreateVectorSplat(code.lanes, before));
  llvm::Value *word = build.CreateAdd(build.CreateAShr(index, log_in_word), build.CreateLShr(place, log_in_word));
  word = build.CreateSExt(word, code.values.widen(build.getInt64Ty()));
  return {build.CreateGEP(build.getInt32Ty(), start, word),
          build.CreateMul(build.CreateAnd(place, number(in_word - 1)), number(8 * bytes))};
}

}  // namespace

llvm::Value *gather_small(vector_code &code, llvm::LoadInst &load) {
  const unsigned bits = load.getType()->isIntegerTy() ? load.getType()->getIntegerBitWidth() : 0;
  llvm::Value *pointer = load.getPointerOperand();
  if ((bits != 8 && bits != 16) || load.getAlign() < bits / 8 || !has_unknown_extent(pointer)) return nullptr;
  auto *words = llvm::FixedVectorType::get(code.build.getInt32Ty(), code.lanes);
  const llvm::TargetTransformInfo &target = code.analyses.target;
  const llvm::Align alignment(word_bytes);
  if (!target.isLegalMaskedGather(words, alignment) || target.forceScalarizeMaskedGather(words, alignment))
    return nullptr;
  const std::optional<indexed_address> from = as_indexed(code, load, bits / 8);
  const words_of_elements at = from ? words_at(code, *from, bits / 8) : words_at(code, code.values.wide(pointer));
  llvm::Value *gathered = code.build.CreateMaskedGather(words, at.pointers, alignment, code.mask);
  return code.build.CreateTrunc(code.build.CreateLShr(gathered, at.shifts), code.values.widen(load.getType()));
}

}  // namespace dpep::jit::spmd
