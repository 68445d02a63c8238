// Finds the alignment of accesses to local memory, also through pointers that a loop swaps.
#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

constexpr unsigned shared_space = 3, most_zeros = 4;  // no access is wider than 16 bytes

class shared_alignment {
public:
  explicit shared_alignment(llvm::Function &function) : layout_(function.getDataLayout()) {
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
          phi && phi->getType()->isPointerTy() && phi->getType()->getPointerAddressSpace() == shared_space)
        zeros_[phi] = most_zeros;  // unless a value of the phi is aligned less
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[phi, zeros] : zeros_) {
        unsigned least = zeros;
        for (llvm::Value *value : phi->incoming_values()) least = std::min(least, zeros_of(value));
        changed |= least != zeros;
        zeros = least;
      }
    }
  }

  /// The number of low bits of a pointer that are known to be zero.
  unsigned zeros_of(const llvm::Value *pointer) const {
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(pointer))
      if (const auto known = zeros_.find(phi); known != zeros_.end()) return known->second;
    const auto *const address = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    const unsigned bits = layout_.getIndexTypeSizeInBits(pointer->getType());
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> scales;
    llvm::APInt constant(bits, 0);
    if (!address || !address->collectOffset(layout_, bits, scales, constant))
      return std::min(most_zeros, llvm::computeKnownBits(pointer, layout_).countMinTrailingZeros());
    unsigned zeros = std::min(zeros_of(address->getPointerOperand()), constant.countr_zero());
    for (const auto &[index, scale] : scales)
      zeros = std::min(zeros, scale.countr_zero() + llvm::computeKnownBits(index, layout_).countMinTrailingZeros());
    return zeros;
  }

private:
  const llvm::DataLayout &layout_;
  llvm::MapVector<const llvm::PHINode *, unsigned> zeros_;
};

}  // namespace

void align_local_accesses(llvm::Function &kernel) {
  const shared_alignment alignment(kernel);
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    const llvm::Value *const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() != shared_space) continue;
    const llvm::Align known(std::uint64_t{1} << alignment.zeros_of(pointer));
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      load->setAlignment(std::max(load->getAlign(), known));
    else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store->setAlignment(std::max(store->getAlign(), known));
  }
}

}  // namespace dpep::jit
