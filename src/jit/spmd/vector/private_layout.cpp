// Choosing the layout of private variables by how they are accessed.
#include "jit/spmd/vector/private_layout.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/spmd/part_accesses.hpp"
#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {
namespace {

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
  const part_accesses accesses(variable, [&](const llvm::Instruction &each) { return items.contains(&each); });
  const std::uint64_t granule = accesses.fills().empty() ? accesses.granule() : 0;
  variables_.insert({&variable, {llvm::alignTo(size->getFixedValue(), variable.getAlign()), granule}});
  if (granule) alternating_.insert(accesses.addresses().begin(), accesses.addresses().end());
}

const private_layout::variable *private_layout::find(const llvm::Value *value) const {
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(value);
  const auto found = variable ? variables_.find(const_cast<llvm::AllocaInst *>(variable)) : variables_.end();
  return found == variables_.end() ? nullptr : &found->second;
}

}  // namespace dpep::jit::spmd
