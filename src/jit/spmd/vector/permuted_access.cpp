// Loads and stores with addresses permuted by a xor: `a[local_id ^ distance]`. The lanes access one block of memory, in
// one or more vector registers. The distance's low bits permute elements within a register, higher bits permute the
// registers, and bits above the number of lanes select the block.
#include <bit>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/permutation.hpp"
#include "jit/spmd/vector/masks.hpp"
#include "jit/spmd/vector/memory.hpp"

namespace dpep::jit::spmd {
namespace {

/// The `count` elements of a vector from `first` on.
llvm::Value *elements_of(llvm::IRBuilder<> &build, llvm::Value *lanes, unsigned first, unsigned count) {
  if (llvm::cast<llvm::FixedVectorType>(lanes->getType())->getNumElements() == count) return lanes;
  llvm::SmallVector<int> lane_numbers;
  for (unsigned i = 0; i < count; ++i) lane_numbers.push_back(static_cast<int>(first + i));
  return build.CreateShuffleVector(lanes, lane_numbers);
}

/// Calls `use` for each vector register that the lanes fill.
void for_each_register(
    vector_code &code, llvm::Value *pointer, llvm::Type *element,
    llvm::function_ref<void(unsigned first, unsigned count, llvm::Value *address, llvm::Value *order)> use) {
  const auto register_bits = static_cast<unsigned>(
      code.analyses.target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  const unsigned bits = element->getScalarSizeInBits(),
                 count = std::min(code.lanes, std::max(register_bits / bits, 1U));
  llvm::Type *number = code.build.getIntNTy(bits);
  llvm::SmallVector<llvm::Constant *> lane_numbers;
  for (unsigned i = 0; i < count; ++i) lane_numbers.push_back(llvm::ConstantInt::get(number, i));
  llvm::Value *distance = code.values.lane_xor(code.build, code.shapes.of(pointer), code.build.getInt64Ty());
  llvm::Value *within = code.build.CreateAnd(distance, code.build.getInt64(count - 1));
  llvm::Value *order =
      code.build.CreateXor(llvm::ConstantVector::get(lane_numbers),
                           code.build.CreateVectorSplat(count, code.build.CreateTrunc(within, number)));
  llvm::Value *between = code.build.CreateXor(distance, within);
  for (unsigned first = 0; first < code.lanes; first += count) {
    llvm::Value *start = code.build.CreateXor(between, code.build.getInt64(first));
    use(first, count, code.build.CreateGEP(element, code.values.first(pointer), start), order);
  }
}

llvm::Value *permuted_mask(vector_code &code, unsigned first, unsigned count, llvm::Value *order) {
  if (is_all_lanes(code, code.mask)) return nullptr;
  llvm::Value *elements = code.build.CreateSExt(elements_of(code.build, code.mask, first, count), order->getType());
  return code.build.CreateICmpNE(permute_lanes(code.build, elements, order),
                                 llvm::Constant::getNullValue(order->getType()));
}

}  // namespace

bool is_permuted_block(const vector_code &code, const llvm::Value *pointer, llvm::Type *element) {
  if (!element->isIntegerTy() && !element->isFloatingPointTy()) return false;
  const std::uint64_t bits = element->getScalarSizeInBits();
  return code.shapes.of(pointer).is_permuted() &&
         code.shapes.of(pointer).stride == static_cast<std::int64_t>(bits / 8) && std::has_single_bit(bits) &&
         bits <= 64;
}

// The lowest value of `id ^ distance` in a vector: lane 0's id, a multiple of the number of lanes, XORed with the
// distance's bits above the lane number.
void emit_permuted_id(vector_code &code, llvm::Instruction &operation) {
  llvm::Value *distance = const_cast<llvm::Value *>(code.shapes.of(&operation).xor_operand);
  llvm::Value *id = operation.getOperand(operation.getOperand(0) == distance ? 1 : 0);
  llvm::Type *type = operation.getType();
  llvm::Value *block = code.build.CreateAnd(code.values.first(distance),
                                            llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(code.lanes)));
  // Inserted without constant folding: lane_values expands values directly behind an instruction of this loop.
  code.values.set_first(&operation, code.build.Insert(llvm::BinaryOperator::CreateXor(code.values.first(id), block),
                                                      operation.getName()));
}

llvm::Value *load_permuted(vector_code &code, llvm::LoadInst &load) {
  llvm::SmallVector<llvm::Value *> registers;
  for_each_register(code, load.getPointerOperand(), load.getType(),
                    [&](unsigned first, unsigned count, llvm::Value *address, llvm::Value *order) {
                      llvm::Value *mask = permuted_mask(code, first, count, order);
                      auto *type = llvm::FixedVectorType::get(load.getType(), count);
                      llvm::Instruction *made = nullptr;
                      if (mask)
                        made = code.build.CreateMaskedLoad(type, address, lane_alignment(load), mask);
                      else
                        made = code.build.CreateAlignedLoad(type, address, lane_alignment(load));
                      copy_metadata(*made, load);
                      registers.push_back(permute_lanes(code.build, made, order));
                    });
  return llvm::concatenateVectors(code.build, registers);
}

void store_permuted(vector_code &code, llvm::StoreInst &store) {
  llvm::Value *values = code.values.wide(store.getValueOperand());
  for_each_register(code, store.getPointerOperand(), store.getValueOperand()->getType(),
                    [&](unsigned first, unsigned count, llvm::Value *address, llvm::Value *order) {
                      llvm::Value *elements =
                          permute_lanes(code.build, elements_of(code.build, values, first, count), order);
                      llvm::Value *mask = permuted_mask(code, first, count, order);
                      llvm::Instruction *made = nullptr;
                      if (mask)
                        made = code.build.CreateMaskedStore(elements, address, lane_alignment(store), mask);
                      else
                        made = code.build.CreateAlignedStore(elements, address, lane_alignment(store));
                      copy_metadata(*made, store);
                    });
}

}  // namespace dpep::jit::spmd
