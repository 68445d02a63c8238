// Choosing the layout of private variables by how they are accessed.
#include "jit/spmd/vector/private_layout.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
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

/// Whether it only computes a value, and may do so anywhere.
bool is_plain(const llvm::Instruction &instruction) {
  return !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool comes_from_before(const llvm::Use &use, const llvm::Loop &items) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(use.getUser());
  return phi && !items.contains(phi->getIncomingBlock(use));
}

llvm::SmallVector<llvm::AllocaInst *> variables_of(llvm::Function &function) {
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && !variable->hasMetadata("dpep.lanes"))  // a place for each lane as it is (slots.cpp)
      variables.push_back(variable);
  return variables;
}

/// Copies, at the loop's start, of what is computed before it from a variable's address.
class addresses_inside {
public:
  addresses_inside(llvm::AllocaInst &variable, llvm::Loop &items) : items_(items) {
    copies_.insert({&variable, &variable});
    for (std::size_t i = 0; i < copies_.size(); ++i)
      for (llvm::User *user : copies_.begin()[i].first->users())
        if (auto *next = llvm::cast<llvm::Instruction>(user); !items.contains(next) && is_plain(*next))
          copies_.insert({next, nullptr});
  }

  void make() {
    for (std::size_t i = 1; i < copies_.size(); ++i) {
      llvm::Instruction *outside = copies_.begin()[i].first;
      for (llvm::Use &use : llvm::make_early_inc_range(outside->uses()))
        if (items_.contains(llvm::cast<llvm::Instruction>(use.getUser())) && !comes_from_before(use, items_))
          use.set(inside(*outside));
    }
    for (std::size_t i = copies_.size(); --i > 0;)
      if (llvm::Instruction *outside = copies_.begin()[i].first; outside->use_empty()) outside->eraseFromParent();
  }

private:
  llvm::Instruction *inside(llvm::Instruction &outside) {
    if (llvm::Instruction *made = copies_.lookup(&outside)) return made;
    llvm::Instruction *made = outside.clone();
    for (llvm::Use &operand : made->operands())
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand); instruction && copies_.contains(instruction))
        operand.set(inside(*instruction));
    made->insertBefore(place_);
    made->setName(outside.getName());
    return copies_[&outside] = made;
  }

  llvm::Loop &items_;
  const llvm::BasicBlock::iterator place_ = items_.getHeader()->getFirstInsertionPt();
  llvm::MapVector<llvm::Instruction *, llvm::Instruction *> copies_;
};

}  // namespace

void compute_private_addresses_inside(llvm::Loop &items) {
  for (llvm::AllocaInst *variable : variables_of(*items.getHeader()->getParent()))
    addresses_inside(*variable, items).make();
}

private_layout::private_layout(const llvm::Loop &items, const llvm::LoopInfo &loops,
                               const llvm::DominatorTree &dominators) {
  for (llvm::AllocaInst *variable : variables_of(*items.getHeader()->getParent()))
    add(*variable, items, loops, dominators);
}

void private_layout::add(llvm::AllocaInst &variable, const llvm::Loop &items, const llvm::LoopInfo &loops,
                         const llvm::DominatorTree &dominators) {
  bool inside = false, outside = false;
  llvm::SetVector<const llvm::Instruction *> addresses;  // all that are computed outside
  addresses.insert(&variable);
  const auto look_at = [&](const llvm::Use &use) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (intrinsic && intrinsic->isLifetimeStartOrEnd()) return;
    if (items.contains(user)) {
      inside = true;
      outside |= use.get() != &variable || comes_from_before(use, items);
      return;
    }
    // Nothing is left in it from one loop over work-items for another: the same code was copied into both. So what LLVM
    // has moved out of a loop to be stored there is read by nobody.
    if (is_in_item_loop(*user, loops) || !dominators.isReachableFromEntry(user->getParent())) return;
    if (store && store->isSimple() && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex()) return;
    if (is_plain(*user))
      addresses.insert(user);
    else
      outside = true;
  };
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (const llvm::Use &use : addresses[i]->uses()) look_at(use);
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
