// The choice of private variables' layout, by their accesses.
#include "jit/spmd/vector/private_layout.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/spmd/element_accesses.hpp"
#include "jit/spmd/item_array.hpp"
#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {
namespace {

bool is_in_item_loop(const llvm::Instruction &instruction, const llvm::LoopInfo &loops) {
  for (const llvm::Loop *loop = loops.getLoopFor(instruction.getParent()); loop; loop = loop->getParentLoop())
    if (is_item_loop(*loop) || llvm::findOptionMDForLoop(loop, "llvm.loop.isvectorized")) return true;
  return false;
}

/// Whether the instruction may be executed anywhere: it has no effects and cannot fault.
bool is_speculatable(const llvm::Instruction &instruction) {
  return !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction);
}

bool is_incoming_from_outside(const llvm::Use &use, const llvm::Loop &items) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(use.getUser());
  return phi && !items.contains(phi->getIncomingBlock(use));
}

llvm::SmallVector<llvm::AllocaInst *> variables_of(llvm::Function &function) {
  llvm::SmallVector<llvm::AllocaInst *> variables;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && !variable->hasMetadata(lanes_metadata))  // has an element for each lane already (item_array.cpp)
      variables.push_back(variable);
  return variables;
}

/// Copies computations that depend on a variable's address from before the loop to the loop's start.
class address_sinking {
public:
  address_sinking(llvm::AllocaInst &variable, llvm::Loop &items) : items_(items) {
    copies_.insert({&variable, &variable});
    for (std::size_t i = 0; i < copies_.size(); ++i)
      for (llvm::User *user : copies_.begin()[i].first->users())
        if (auto *next = llvm::cast<llvm::Instruction>(user); !items.contains(next) && is_speculatable(*next))
          copies_.insert({next, nullptr});
  }

  void run() {
    for (std::size_t i = 1; i < copies_.size(); ++i) {
      llvm::Instruction *outside = copies_.begin()[i].first;
      for (llvm::Use &use : llvm::make_early_inc_range(outside->uses()))
        if (items_.contains(llvm::cast<llvm::Instruction>(use.getUser())) && !is_incoming_from_outside(use, items_))
          use.set(sunk(*outside));
    }
    for (std::size_t i = copies_.size(); --i > 0;)
      if (llvm::Instruction *outside = copies_.begin()[i].first; outside->use_empty()) outside->eraseFromParent();
  }

private:
  llvm::Instruction *sunk(llvm::Instruction &outside) {
    if (llvm::Instruction *made = copies_.lookup(&outside)) return made;
    llvm::Instruction *made = outside.clone();
    for (llvm::Use &operand : made->operands())
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand); instruction && copies_.contains(instruction))
        operand.set(sunk(*instruction));
    made->insertBefore(insertion_point_);
    made->setName(outside.getName());
    return copies_[&outside] = made;
  }

  llvm::Loop &items_;
  const llvm::BasicBlock::iterator insertion_point_ = items_.getHeader()->getFirstInsertionPt();
  llvm::MapVector<llvm::Instruction *, llvm::Instruction *> copies_;
};

}  // namespace

void sink_private_addresses(llvm::Loop &items) {
  for (llvm::AllocaInst *variable : variables_of(*items.getHeader()->getParent()))
    address_sinking(*variable, items).run();
}

private_layout::private_layout(const llvm::Loop &items, const llvm::LoopInfo &loops,
                               const llvm::DominatorTree &dominators) {
  for (llvm::AllocaInst *variable : variables_of(*items.getHeader()->getParent()))
    add(*variable, items, loops, dominators);
}

void private_layout::add(llvm::AllocaInst &variable, const llvm::Loop &items, const llvm::LoopInfo &loops,
                         const llvm::DominatorTree &dominators) {
  bool inside = false, outside = false;
  llvm::SetVector<const llvm::Instruction *> addresses;  // computed outside the loop
  addresses.insert(&variable);
  const auto visit = [&](const llvm::Use &use) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (intrinsic && intrinsic->isLifetimeStartOrEnd()) return;
    if (items.contains(user)) {
      inside = true;
      outside |= use.get() != &variable || is_incoming_from_outside(use, items);
      return;
    }
    // Item loops do not pass values to each other in the variable: each has its own copy of the same code. So a store
    // that LLVM has moved out of an item loop is never read.
    if (is_in_item_loop(*user, loops) || !dominators.isReachableFromEntry(user->getParent())) return;
    if (store && store->isSimple() && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex()) return;
    if (is_speculatable(*user))
      addresses.insert(user);
    else
      outside = true;
  };
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (const llvm::Use &use : addresses[i]->uses()) visit(use);
  if (!inside) return;
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  if (outside || !size) {
    escaping_ = &variable;
    return;
  }
  const element_accesses accesses(variable, [&](const llvm::Instruction &each) { return items.contains(&each); });
  const std::uint64_t element_size = accesses.fills().empty() ? accesses.element_size() : 0;
  // Of a number that clang has aligned as the first of an array (float, align 16), copies are neighbours nevertheless.
  const llvm::Align alignment =
      std::min(variable.getAlign(), llvm::Align(llvm::PowerOf2Ceil(std::max<std::uint64_t>(size->getFixedValue(), 1))));
  variables_.insert({&variable, {llvm::alignTo(size->getFixedValue(), alignment), element_size}});
  if (element_size) lane_interleaved_.insert(accesses.addresses().begin(), accesses.addresses().end());
}

const private_layout::variable *private_layout::find(const llvm::Value *value) const {
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(value);
  const auto found = variable ? variables_.find(const_cast<llvm::AllocaInst *>(variable)) : variables_.end();
  return found == variables_.end() ? nullptr : &found->second;
}

}  // namespace dpep::jit::spmd
