// Looking at a variable's accesses, and rewriting them.
#include "jit/spmd/part_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace dpep::jit::spmd {
namespace {

/// What is added to the address: constants, and indices times constants.
struct address_offset {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant{64, 0};
  bool known;

  explicit address_offset(const llvm::GetElementPtrInst &address)
      : known(address.collectOffset(address.getDataLayout(), 64, variable, constant)) {}

  bool is_multiple_of(std::uint64_t bytes, const llvm::DataLayout &layout) const {
    const auto multiple = [&](const auto &each) {
      const unsigned zeros = llvm::computeKnownBits(each.first, layout).countMinTrailingZeros();
      return (each.second.getZExtValue() << std::min(zeros, 16U)) % bytes == 0;
    };
    return known && constant.getZExtValue() % bytes == 0 && llvm::all_of(variable, multiple);
  }
};

constexpr std::uint64_t unrolled_parts = 32;

}  // namespace

part_accesses::part_accesses(llvm::AllocaInst &variable, filter counts) : layout_(variable.getDataLayout()) {
  good_ = look_at(variable, counts) && granule_;
  if (!good_) return;
  good_ =
      llvm::all_of(addresses_,
                   [&](const auto *address) { return address_offset(*address).is_multiple_of(granule_, layout_); }) &&
      llvm::all_of(fills_, [&](const auto *fill) {
        return llvm::cast<llvm::ConstantInt>(fill->getLength())->getZExtValue() % granule_ == 0;
      });
}

bool part_accesses::look_at(llvm::Instruction &pointer, filter counts) {
  return llvm::all_of(pointer.users(), [&](llvm::User *user) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
        intrinsic && intrinsic->isLifetimeStartOrEnd())
      return true;
    if (!counts(*instruction)) return false;
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      if (address->getType()->isVectorTy()) return false;
      addresses_.push_back(address);
      return look_at(*address, counts);
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return load->isSimple() && take(*load->getType());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction))
      return store->isSimple() && store->getValueOperand() != &pointer && take(*store->getValueOperand()->getType());
    auto *fill = llvm::dyn_cast<llvm::AnyMemIntrinsic>(instruction);
    return fill && take_fill(*fill, pointer);
  });
}

bool part_accesses::take(llvm::Type &type) {
  if (!type.isIntegerTy() && !type.isFloatingPointTy() && !type.isPointerTy()) return false;
  const std::uint64_t bytes = layout_.getTypeStoreSize(&type);
  if (layout_.getTypeSizeInBits(&type) != 8 * bytes || (granule_ && bytes != granule_)) return false;
  granule_ = bytes;
  part_ = &type;
  return llvm::isPowerOf2_64(bytes);
}

bool part_accesses::take_fill(llvm::AnyMemIntrinsic &fill, const llvm::Instruction &pointer) {
  if (fill.getRawDest() != &pointer || !llvm::isa<llvm::ConstantInt>(fill.getLength())) return false;
  if (auto *plain = llvm::dyn_cast<llvm::MemIntrinsic>(&fill); !plain || plain->isVolatile()) return false;
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&fill)) {
    const auto *source = llvm::dyn_cast<llvm::GlobalVariable>(copy->getRawSource()->stripInBoundsConstantOffsets());
    if (!source || !source->isConstant()) return false;
  }
  fills_.push_back(&fill);
  return true;
}

namespace {

/// Stores what the fill says into part number `index`.
void fill_part(llvm::IRBuilder<> &build, llvm::AnyMemIntrinsic &fill, const part_accesses &accesses,
               llvm::Value *index) {
  const std::uint64_t bytes = accesses.granule();
  llvm::Value *value;
  if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&fill)) {
    llvm::Type *bits = build.getIntNTy(static_cast<unsigned>(8 * bytes));
    value = build.CreateMul(build.CreateZExt(set->getValue(), bits),
                            llvm::ConstantInt::get(bits, llvm::APInt::getSplat(8 * bytes, llvm::APInt(8, 1))));
    value = accesses.part()->isPointerTy() ? build.CreateIntToPtr(value, accesses.part())
                                           : build.CreateBitCast(value, accesses.part());
  } else {
    auto &copy = llvm::cast<llvm::MemTransferInst>(fill);
    value = build.CreateAlignedLoad(accesses.part(), build.CreateGEP(accesses.part(), copy.getRawSource(), index),
                                    llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), bytes));
  }
  build.CreateAlignedStore(value, build.CreateGEP(accesses.part(), fill.getRawDest(), index),
                           llvm::commonAlignment(fill.getDestAlign().valueOrOne(), bytes));
}

void expand(llvm::AnyMemIntrinsic &fill, const part_accesses &accesses) {
  const std::uint64_t parts = llvm::cast<llvm::ConstantInt>(fill.getLength())->getZExtValue() / accesses.granule();
  llvm::IRBuilder<> build(&fill);
  if (parts <= unrolled_parts) {
    for (std::uint64_t i = 0; i < parts; ++i) fill_part(build, fill, accesses, build.getInt64(i));
  } else {
    const auto [place, index] = llvm::SplitBlockAndInsertSimpleForLoop(build.getInt64(parts), fill.getIterator());
    build.SetInsertPoint(place);
    fill_part(build, fill, accesses, index);
  }
  fill.eraseFromParent();
}

}  // namespace

void expand_fills(llvm::Function &function) {
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
  for (llvm::AllocaInst *variable : variables) {
    const part_accesses accesses(*variable, [](const llvm::Instruction &) { return true; });
    if (!accesses.granule()) continue;
    for (llvm::AnyMemIntrinsic *fill : accesses.fills()) expand(*fill, accesses);
  }
}

void spread_parts(const part_accesses &accesses, std::uint64_t times) {
  for (llvm::GetElementPtrInst *address : accesses.addresses()) {
    const address_offset offset(*address);
    llvm::IRBuilder<> build(address);
    llvm::Value *bytes = build.getInt64(offset.constant.getZExtValue() * times);
    for (const auto &[index, step] : offset.variable)
      bytes = build.CreateAdd(bytes, build.CreateMul(build.CreateSExtOrTrunc(index, build.getInt64Ty()),
                                                     build.getInt64(step.getZExtValue() * times)));
    llvm::Value *spread = build.CreatePtrAdd(address->getPointerOperand(), bytes);
    spread->takeName(address);
    address->replaceAllUsesWith(spread);
    address->eraseFromParent();
  }
}

}  // namespace dpep::jit::spmd
