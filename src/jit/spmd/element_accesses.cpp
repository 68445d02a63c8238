// Analysis and rewriting of a variable's accesses.
#include "jit/spmd/element_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace dpep::jit::spmd {
namespace {

/// The offset added to an address: constants, and indices times constants.
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

constexpr std::uint64_t max_unrolled_elements = 32;

}  // namespace

element_accesses::element_accesses(llvm::AllocaInst &variable, filter is_expected) : layout_(variable.getDataLayout()) {
  uniform_ = collect(variable, is_expected) && element_size_;
  if (!uniform_) return;
  uniform_ = llvm::all_of(addresses_,
                          [&](const auto *address) {
                            return address_offset(*address).is_multiple_of(element_size_, layout_);
                          }) &&
             llvm::all_of(fills_, [&](const auto *fill) {
               return llvm::cast<llvm::ConstantInt>(fill->getLength())->getZExtValue() % element_size_ == 0;
             });
}

bool element_accesses::collect(llvm::Instruction &pointer, filter is_expected) {
  return llvm::all_of(pointer.users(), [&](llvm::User *user) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
        intrinsic && intrinsic->isLifetimeStartOrEnd())
      return true;
    if (!is_expected(*instruction)) return false;
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      if (address->getType()->isVectorTy()) return false;
      addresses_.push_back(address);
      return collect(*address, is_expected);
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return load->isSimple() && add_element(*load->getType());
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction))
      return store->isSimple() && store->getValueOperand() != &pointer &&
             add_element(*store->getValueOperand()->getType());
    auto *fill = llvm::dyn_cast<llvm::AnyMemIntrinsic>(instruction);
    return fill && add_fill(*fill, pointer);
  });
}

bool element_accesses::add_element(llvm::Type &type) {
  if (!type.isIntegerTy() && !type.isFloatingPointTy() && !type.isPointerTy()) return false;
  const std::uint64_t bytes = layout_.getTypeStoreSize(&type);
  if (layout_.getTypeSizeInBits(&type) != 8 * bytes || (element_size_ && bytes != element_size_)) return false;
  element_size_ = bytes;
  element_type_ = &type;
  return llvm::isPowerOf2_64(bytes);
}

bool element_accesses::add_fill(llvm::AnyMemIntrinsic &fill, const llvm::Instruction &pointer) {
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

/// Emits the store of the fill's value to element number `index`.
void store_element(llvm::IRBuilder<> &build, llvm::AnyMemIntrinsic &fill, const element_accesses &accesses,
                   llvm::Value *index) {
  const std::uint64_t bytes = accesses.element_size();
  llvm::Value *value;
  if (auto *set = llvm::dyn_cast<llvm::MemSetInst>(&fill)) {
    llvm::Type *bits = build.getIntNTy(static_cast<unsigned>(8 * bytes));
    value = build.CreateMul(build.CreateZExt(set->getValue(), bits),
                            llvm::ConstantInt::get(bits, llvm::APInt::getSplat(8 * bytes, llvm::APInt(8, 1))));
    value = accesses.element_type()->isPointerTy() ? build.CreateIntToPtr(value, accesses.element_type())
                                                   : build.CreateBitCast(value, accesses.element_type());
  } else {
    auto &copy = llvm::cast<llvm::MemTransferInst>(fill);
    value = build.CreateAlignedLoad(accesses.element_type(),
                                    build.CreateGEP(accesses.element_type(), copy.getRawSource(), index),
                                    llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), bytes));
  }
  build.CreateAlignedStore(value, build.CreateGEP(accesses.element_type(), fill.getRawDest(), index),
                           llvm::commonAlignment(fill.getDestAlign().valueOrOne(), bytes));
}

void expand(llvm::AnyMemIntrinsic &fill, const element_accesses &accesses) {
  const std::uint64_t count = llvm::cast<llvm::ConstantInt>(fill.getLength())->getZExtValue() / accesses.element_size();
  llvm::IRBuilder<> build(&fill);
  if (count <= max_unrolled_elements) {
    for (std::uint64_t i = 0; i < count; ++i) store_element(build, fill, accesses, build.getInt64(i));
  } else {
    const auto [body, index] = llvm::SplitBlockAndInsertSimpleForLoop(build.getInt64(count), fill.getIterator());
    build.SetInsertPoint(body);
    store_element(build, fill, accesses, index);
  }
  fill.eraseFromParent();
}

}  // namespace

void expand_fills(llvm::Function &function) {
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
  for (llvm::AllocaInst *variable : variables) {
    const element_accesses accesses(*variable, [](const llvm::Instruction &) { return true; });
    if (!accesses.element_size()) continue;
    for (llvm::AnyMemIntrinsic *fill : accesses.fills()) expand(*fill, accesses);
  }
}

void interleave_elements(const element_accesses &accesses, std::uint64_t count) {
  for (llvm::GetElementPtrInst *address : accesses.addresses()) {
    const address_offset offset(*address);
    llvm::IRBuilder<> build(address);
    llvm::Value *bytes = build.getInt64(offset.constant.getZExtValue() * count);
    for (const auto &[index, step] : offset.variable)
      bytes = build.CreateAdd(bytes, build.CreateMul(build.CreateSExtOrTrunc(index, build.getInt64Ty()),
                                                     build.getInt64(step.getZExtValue() * count)));
    llvm::Value *interleaved = build.CreatePtrAdd(address->getPointerOperand(), bytes);
    interleaved->takeName(address);
    address->replaceAllUsesWith(interleaved);
    address->eraseFromParent();
  }
}

}  // namespace dpep::jit::spmd
