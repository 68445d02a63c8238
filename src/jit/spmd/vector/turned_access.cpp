// Loads and stores where lanes exchange places within a block of memory: `a[local_id ^ distance]`. The block is one
// vector, or several that the turn's higher bits choose among, and its lanes are permuted by the lower bits.
#include <bit>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/permutation.hpp"
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

llvm::Value *piece_of(llvm::IRBuilder<> &build, llvm::Value *lanes, unsigned first, unsigned count) {
  if (llvm::cast<llvm::FixedVectorType>(lanes->getType())->getNumElements() == count) return lanes;
  llvm::SmallVector<int> numbers;
  for (unsigned i = 0; i < count; ++i) numbers.push_back(static_cast<int>(first + i));
  return build.CreateShuffleVector(lanes, numbers);
}

}  // namespace

bool vector_code::is_block(const llvm::Value *pointer, llvm::Type *element) const {
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) return false;
  const std::uint64_t bits = element->getScalarSizeInBits();
  return shapes_.of(pointer).is_turned() && shapes_.of(pointer).stride == static_cast<std::int64_t>(bits / 8) &&
         std::has_single_bit(bits) && bits <= 64;
}

// x ^ turn for a block of lanes, of which the first is a multiple of their number.
void vector_code::make_exchange(llvm::Instruction &operation) {
  llvm::Value *turn = const_cast<llvm::Value *>(shapes_.of(&operation).turn);
  llvm::Value *id = operation.getOperand(operation.getOperand(0) == turn ? 1 : 0);
  llvm::Type *type = operation.getType();
  llvm::Value *block =
      build_.CreateAnd(values_.first(turn), llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(lanes_)));
  // Not folded, whatever the block is: values for all lanes are put behind an instruction of this loop.
  values_.set_first(&operation,
                    build_.Insert(llvm::BinaryOperator::CreateXor(values_.first(id), block), operation.getName()));
}

/// Calls back for each vector of the lanes: the number of its first lane, where it lies in memory, and in which order.
void vector_code::for_each_piece(
    llvm::Value *pointer, llvm::Type *element,
    llvm::function_ref<void(unsigned first, unsigned count, llvm::Value *address, llvm::Value *order)> use) {
  const auto most = static_cast<unsigned>(
      analyses_.target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  const unsigned bits = element->getScalarSizeInBits(), count = std::min(lanes_, std::max(most / bits, 1U));
  llvm::Type *number = build_.getIntNTy(bits);
  llvm::SmallVector<llvm::Constant *> numbers;
  for (unsigned i = 0; i < count; ++i) numbers.push_back(llvm::ConstantInt::get(number, i));
  llvm::Value *turn = values_.turn(build_, shapes_.of(pointer), build_.getInt64Ty());
  llvm::Value *within = build_.CreateAnd(turn, build_.getInt64(count - 1));
  llvm::Value *order = build_.CreateXor(llvm::ConstantVector::get(numbers),
                                        build_.CreateVectorSplat(count, build_.CreateTrunc(within, number)));
  llvm::Value *between = build_.CreateXor(turn, within);
  for (unsigned first = 0; first < lanes_; first += count) {
    llvm::Value *place = build_.CreateXor(between, build_.getInt64(first));
    use(first, count, build_.CreateGEP(element, values_.first(pointer), place), order);
  }
}

llvm::Value *vector_code::piece_of_mask(unsigned first, unsigned count, llvm::Value *order) {
  if (is_all(mask_)) return nullptr;
  llvm::Value *piece = build_.CreateSExt(piece_of(build_, mask_, first, count), order->getType());
  return build_.CreateICmpNE(permuted(build_, piece, order), llvm::Constant::getNullValue(order->getType()));
}

llvm::Value *vector_code::load_block(llvm::LoadInst &load) {
  llvm::SmallVector<llvm::Value *> pieces;
  for_each_piece(load.getPointerOperand(), load.getType(),
                 [&](unsigned first, unsigned count, llvm::Value *address, llvm::Value *order) {
                   llvm::Value *mask = piece_of_mask(first, count, order);
                   auto *type = llvm::FixedVectorType::get(load.getType(), count);
                   llvm::Instruction *made = nullptr;
                   if (mask)
                     made = build_.CreateMaskedLoad(type, address, lane_alignment(load), mask);
                   else
                     made = build_.CreateAlignedLoad(type, address, lane_alignment(load));
                   keep_metadata(made, load);
                   pieces.push_back(permuted(build_, made, order));
                 });
  return llvm::concatenateVectors(build_, pieces);
}

void vector_code::store_block(llvm::StoreInst &store) {
  llvm::Value *values = values_.wide(store.getValueOperand());
  for_each_piece(store.getPointerOperand(), store.getValueOperand()->getType(),
                 [&](unsigned first, unsigned count, llvm::Value *address, llvm::Value *order) {
                   llvm::Value *piece = permuted(build_, piece_of(build_, values, first, count), order);
                   llvm::Value *mask = piece_of_mask(first, count, order);
                   llvm::Instruction *made = nullptr;
                   if (mask)
                     made = build_.CreateMaskedStore(piece, address, lane_alignment(store), mask);
                   else
                     made = build_.CreateAlignedStore(piece, address, lane_alignment(store));
                   keep_metadata(made, store);
                 });
}

}  // namespace dpep::jit::spmd
