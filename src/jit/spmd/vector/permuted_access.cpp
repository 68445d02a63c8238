// Loads and stores with addresses permuted by a xor: `a[local_id ^ distance]`. The lanes access one block of memory, in
// one or more vector registers. The distance's low bits permute elements within a register, higher bits permute the
// registers, and bits above the number of lanes select the block.
#include <bit>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/permutation.hpp"
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

/// The `count` elements of a vector from `first` on.
llvm::Value *elements_of(llvm::IRBuilder<> &build, llvm::Value *lanes, unsigned first, unsigned count) {
  if (llvm::cast<llvm::FixedVectorType>(lanes->getType())->getNumElements() == count) return lanes;
  llvm::SmallVector<int> lane_numbers;
  for (unsigned i = 0; i < count; ++i) lane_numbers.push_back(static_cast<int>(first + i));
  return build.CreateShuffleVector(lanes, lane_numbers);
}

}  // namespace

bool vector_code::is_permuted_block(const llvm::Value *pointer, llvm::Type *element) const {
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) return false;
  const std::uint64_t bits = element->getScalarSizeInBits();
  return shapes_.of(pointer).is_permuted() && shapes_.of(pointer).stride == static_cast<std::int64_t>(bits / 8) &&
         std::has_single_bit(bits) && bits <= 64;
}

// The lowest value of `id ^ distance` in a vector: lane 0's id, a multiple of the number of lanes, XORed with the
// distance's bits above the lane number.
void vector_code::emit_permuted_id(llvm::Instruction &operation) {
  llvm::Value *distance = const_cast<llvm::Value *>(shapes_.of(&operation).xor_operand);
  llvm::Value *id = operation.getOperand(operation.getOperand(0) == distance ? 1 : 0);
  llvm::Type *type = operation.getType();
  llvm::Value *block =
      build_.CreateAnd(values_.first(distance), llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(lanes_)));
  // Inserted without constant folding: lane_values expands values directly behind an instruction of this loop.
  values_.set_first(&operation,
                    build_.Insert(llvm::BinaryOperator::CreateXor(values_.first(id), block), operation.getName()));
}

/// Calls `use` for each vector register that the lanes fill.
void vector_code::for_each_register(
    llvm::Value *pointer, llvm::Type *element,
    llvm::function_ref<void(unsigned first, unsigned count, llvm::Value *address, llvm::Value *order)> use) {
  const auto register_bits = static_cast<unsigned>(
      analyses_.target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  const unsigned bits = element->getScalarSizeInBits(), count = std::min(lanes_, std::max(register_bits / bits, 1U));
  llvm::Type *number = build_.getIntNTy(bits);
  llvm::SmallVector<llvm::Constant *> lane_numbers;
  for (unsigned i = 0; i < count; ++i) lane_numbers.push_back(llvm::ConstantInt::get(number, i));
  llvm::Value *distance = values_.lane_xor(build_, shapes_.of(pointer), build_.getInt64Ty());
  llvm::Value *within = build_.CreateAnd(distance, build_.getInt64(count - 1));
  llvm::Value *order = build_.CreateXor(llvm::ConstantVector::get(lane_numbers),
                                        build_.CreateVectorSplat(count, build_.CreateTrunc(within, number)));
  llvm::Value *between = build_.CreateXor(distance, within);
  for (unsigned first = 0; first < lanes_; first += count) {
    llvm::Value *start = build_.CreateXor(between, build_.getInt64(first));
    use(first, count, build_.CreateGEP(element, values_.first(pointer), start), order);
  }
}

llvm::Value *vector_code::permuted_mask(unsigned first, unsigned count, llvm::Value *order) {
  if (is_all_lanes(mask_)) return nullptr;
  llvm::Value *elements = build_.CreateSExt(elements_of(build_, mask_, first, count), order->getType());
  return build_.CreateICmpNE(permute_lanes(build_, elements, order), llvm::Constant::getNullValue(order->getType()));
}

llvm::Value *vector_code::load_permuted(llvm::LoadInst &load) {
  llvm::SmallVector<llvm::Value *> registers;
  for_each_register(load.getPointerOperand(), load.getType(),
                    [&](unsigned first, unsigned count, llvm::Value *address, llvm::Value *order) {
                      llvm::Value *mask = permuted_mask(first, count, order);
                      auto *type = llvm::FixedVectorType::get(load.getType(), count);
                      llvm::Instruction *made = nullptr;
                      if (mask)
                        made = build_.CreateMaskedLoad(type, address, lane_alignment(load), mask);
                      else
                        made = build_.CreateAlignedLoad(type, address, lane_alignment(load));
                      copy_metadata(made, load);
                      registers.push_back(permute_lanes(build_, made, order));
                    });
  return llvm::concatenateVectors(build_, registers);
}

void vector_code::store_permuted(llvm::StoreInst &store) {
  llvm::Value *values = values_.wide(store.getValueOperand());
  for_each_register(store.getPointerOperand(), store.getValueOperand()->getType(),
                    [&](unsigned first, unsigned count, llvm::Value *address, llvm::Value *order) {
                      llvm::Value *elements = permute_lanes(build_, elements_of(build_, values, first, count), order);
                      llvm::Value *mask = permuted_mask(first, count, order);
                      llvm::Instruction *made = nullptr;
                      if (mask)
                        made = build_.CreateMaskedStore(elements, address, lane_alignment(store), mask);
                      else
                        made = build_.CreateAlignedStore(elements, address, lane_alignment(store));
                      copy_metadata(made, store);
                    });
}

}  // namespace dpep::jit::spmd
