// Choosing the layout of private variables by how they are accessed.
#include "jit/spmd/vector/private_layout.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {
namespace {

/// Accesses of one size, at multiples of it: that size, and the address computations on the way.
class granule_search {
public:
  granule_search(llvm::AllocaInst &variable, const llvm::Loop &items)
      : items_(items), layout_(variable.getDataLayout()) {
    good_ = look_at(variable);
    if (good_ && granule_)
      for (const llvm::GetElementPtrInst *address : addresses)
        good_ &= llvm::all_of(steps(*address), [&](std::uint64_t step) { return step % granule_ == 0; });
  }
  std::uint64_t granule() const { return good_ ? granule_ : 0; }
  llvm::SmallVector<const llvm::GetElementPtrInst *> addresses;

private:
  bool look_at(const llvm::Instruction &pointer) {
    return llvm::all_of(pointer.users(), [&](const llvm::User *user) {
      const auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
          intrinsic && intrinsic->isLifetimeStartOrEnd())
        return true;
      if (!items_.contains(instruction)) return false;
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        if (address->getType()->isVectorTy()) return false;
        addresses.push_back(address);
        return look_at(*address);
      }
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return load->isSimple() && take(*load->getType());
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction))
        return store->isSimple() && store->getValueOperand() != &pointer && take(*store->getValueOperand()->getType());
      return false;
    });
  }

  bool take(llvm::Type &type) {
    if (!type.isIntegerTy() && !type.isFloatingPointTy() && !type.isPointerTy()) return false;
    const std::uint64_t bytes = layout_.getTypeStoreSize(&type);
    if (layout_.getTypeSizeInBits(&type) != 8 * bytes || (granule_ && bytes != granule_)) return false;
    granule_ = bytes;
    return llvm::isPowerOf2_64(bytes);
  }

  llvm::SmallVector<std::uint64_t> steps(const llvm::GetElementPtrInst &address) {
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
    llvm::APInt constant(64, 0);
    if (!address.collectOffset(layout_, 64, variable, constant)) return {1};
    llvm::SmallVector<std::uint64_t> found{constant.getZExtValue()};
    for (const auto &[index, step] : variable) found.push_back(step.getZExtValue());
    return found;
  }

  const llvm::Loop &items_;
  const llvm::DataLayout &layout_;
  std::uint64_t granule_ = 0;
  bool good_ = false;
};

bool is_in_item_loop(const llvm::Instruction &instruction, const llvm::LoopInfo &loops) {
  for (const llvm::Loop *loop = loops.getLoopFor(instruction.getParent()); loop; loop = loop->getParentLoop())
    if (is_item_loop(*loop) || llvm::findOptionMDForLoop(loop, "llvm.loop.isvectorized")) return true;
  return false;
}

}  // namespace

private_layout::private_layout(const llvm::Loop &items, const llvm::LoopInfo &loops) {
  llvm::Function &function = *items.getHeader()->getParent();
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) add(*variable, items, loops);
}

void private_layout::add(llvm::AllocaInst &variable, const llvm::Loop &items, const llvm::LoopInfo &loops) {
  if (variable.hasMetadata("dpep.lanes")) return;  // a place for each lane as it is (slots.cpp)
  bool inside = false, outside = false;
  for (const llvm::User *user : variable.users()) {
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    const bool marker = intrinsic && intrinsic->isLifetimeStartOrEnd();
    if (marker) continue;
    const auto *instruction = llvm::cast<llvm::Instruction>(user);
    // Nothing is left in it from one loop over work-items for another: the same code was copied into both.
    if (items.contains(instruction))
      inside = true;
    else
      outside |= !is_in_item_loop(*instruction, loops);
  }
  if (!inside) return;
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  if (outside || !size) {
    beyond_ = &variable;
    return;
  }
  const granule_search search(variable, items);
  variables_.insert({&variable, {llvm::alignTo(size->getFixedValue(), variable.getAlign()), search.granule()}});
  if (search.granule()) alternating_.insert(search.addresses.begin(), search.addresses.end());
}

const private_layout::variable *private_layout::find(const llvm::Value *value) const {
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(value);
  const auto found = variable ? variables_.find(const_cast<llvm::AllocaInst *>(variable)) : variables_.end();
  return found == variables_.end() ? nullptr : &found->second;
}

}  // namespace dpep::jit::spmd
