// Rematerialisation of integers and addresses made from local ids and uniform values.
#include "jit/spmd/rematerialise.hpp"

#include <map>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CycleInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/spmd/regions.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {
namespace {

// A spill slot costs a store and a load for each work-item, and cache; a few additions are cheaper.
constexpr unsigned max_instructions = 8;

class rematerialiser {
public:
  rematerialiser(llvm::Function &function, const region_graph &regions, const uniformity &uniform)
      : regions_(regions), uniform_(uniform) {
    cycles_.compute(function);
  }

  /// Whether the value can be recomputed in `block` with few instructions.
  bool is_cheap(llvm::Instruction &value, llvm::BasicBlock *block) const {
    llvm::SmallPtrSet<const llvm::Value *, 16> counted;
    return count(value, block, counted);
  }

  llvm::Value *copy_to(llvm::Value *value, llvm::BasicBlock *block) {
    if (is_leaf(value)) return value;
    auto *original = llvm::cast<llvm::Instruction>(value);
    auto [entry, is_new] = copies_.try_emplace({original, block}, nullptr);
    if (!is_new) return entry->second;
    llvm::Instruction *copy = original->clone();
    for (llvm::Use &operand : copy->operands()) operand.set(copy_to(operand, block));
    copy->insertInto(block, point_in(block));
    copy->setName(original->getName());
    copies_[{original, block}] = copy;
    return copy;
  }

private:
  /// Whether the value is available in every region and ends the recomputation.
  bool is_leaf(const llvm::Value *value) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return true;
    return uniform_.is_uniform(instruction) && !uniform_.is_sub_group_arithmetic(instruction);
  }

  /// Whether a leaf, which may have no use in `block` yet, has there the value that it had at the definition. After a
  /// loop it may differ between work-items: they may have left in different iterations.
  bool is_unchanged_in(llvm::BasicBlock *block, const llvm::Value &leaf) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&leaf);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return true;
    auto *home = const_cast<llvm::BasicBlock *>(instruction->getParent());
    const llvm::Cycle *loop = cycles_.getCycle(home);
    if (loop && !loop->contains(block)) return false;
    return !llvm::isa<llvm::PHINode>(instruction) || !regions_.may_be_overwritten(home, block);
  }

  bool count(const llvm::Value &value, llvm::BasicBlock *block,
             llvm::SmallPtrSetImpl<const llvm::Value *> &counted) const {
    if (is_leaf(&value)) return is_unchanged_in(block, value);
    if (!counted.insert(&value).second) return true;
    const auto &instruction = llvm::cast<llvm::Instruction>(value);
    const bool integer = instruction.getType()->isIntegerTy() || instruction.getType()->isPointerTy();
    const bool plain =
        llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst>(
            instruction);
    if (!integer || !plain || counted.size() > max_instructions) return false;
    if (!llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
    return llvm::all_of(instruction.operands(),
                        [&](const llvm::Use &operand) { return count(*operand, block, counted); });
  }

  // After the copies inserted earlier, which later ones may use.
  llvm::BasicBlock::iterator point_in(llvm::BasicBlock *block) {
    auto [entry, is_new] = point_.try_emplace(block, nullptr);
    if (is_new) entry->second = &*block->getFirstInsertionPt();
    return entry->second->getIterator();
  }

  const region_graph &regions_;
  const uniformity &uniform_;
  llvm::CycleInfo cycles_;
  std::map<std::pair<llvm::Instruction *, llvm::BasicBlock *>, llvm::Instruction *> copies_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> point_;
};

}  // namespace

void rematerialise(llvm::Function &function, const region_graph &regions, const uniformity &uniform) {
  const llvm::DominatorTree dominators(function);
  rematerialiser rematerialiser(function, regions, uniform);
  llvm::SmallVector<llvm::Instruction *> values;
  for (llvm::Instruction &value : llvm::instructions(function))
    if (!uniform.is_uniform(&value) && !llvm::isa<llvm::AllocaInst>(value)) values.push_back(&value);
  llvm::SmallVector<llvm::WeakTrackingVH> dead;
  // Users before their operands: an operand of a recomputed user has then no other use in another region.
  for (llvm::Instruction *value : llvm::reverse(values)) {
    llvm::SmallVector<llvm::Use *> crossing;
    for (llvm::Use &use : value->uses())
      if (llvm::BasicBlock *block = block_of(use);
          block != value->getParent() && regions.crosses(value->getParent(), block, dominators))
        crossing.push_back(&use);
    // If one use needs the spilled value, the others load it, too.
    if (!llvm::all_of(crossing, [&](const llvm::Use *use) { return rematerialiser.is_cheap(*value, block_of(*use)); }))
      continue;
    for (llvm::Use *use : crossing) use->set(rematerialiser.copy_to(value, block_of(*use)));
    if (value->use_empty() && !crossing.empty()) dead.emplace_back(value);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);  // not earlier: copies are found by the originals' addresses
}

}  // namespace dpep::jit::spmd
