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

// A slot costs a store and a load for each work-item, and cache; a few additions are cheaper.
constexpr unsigned most_instructions = 8;

class rematerialiser {
public:
  rematerialiser(llvm::Function &function, const region_graph &regions, const uniformity &uniform)
      : regions_(regions), uniform_(uniform) {
    cycles_.compute(function);
  }

  bool is_cheap(llvm::Instruction &value, llvm::BasicBlock *where) const {
    llvm::SmallPtrSet<const llvm::Value *, 16> counted;
    return count(value, where, counted);
  }

  llvm::Value *copy_to(llvm::Value *value, llvm::BasicBlock *block) {
    if (is_leaf(value)) return value;
    auto *original = llvm::cast<llvm::Instruction>(value);
    auto [place, isnew] = copies_.try_emplace({original, block}, nullptr);
    if (!isnew) return place->second;
    llvm::Instruction *copy = original->clone();
    for (llvm::Use &operand : copy->operands()) operand.set(copy_to(operand, block));
    copy->insertInto(block, point_in(block));
    copy->setName(original->getName());
    copies_[{original, block}] = copy;
    return copy;
  }

private:
  bool is_leaf(const llvm::Value *value) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return true;
    return uniform_.uniform(instruction) && !uniform_.of_sub_group_id(instruction);
  }

  /// Whether a leaf, which may have no use there yet, is in `where` what it was when the value was made. Behind a loop
  /// it is not surely that of all work-items: they may have left in different rounds.
  bool lasts(const llvm::Value &leaf, llvm::BasicBlock *where) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&leaf);
    if (!instruction || llvm::isa<llvm::AllocaInst>(instruction)) return true;
    auto *home = const_cast<llvm::BasicBlock *>(instruction->getParent());
    const llvm::Cycle *loop = cycles_.getCycle(home);
    if (loop && !loop->contains(where)) return false;
    return !llvm::isa<llvm::PHINode>(instruction) || !regions_.may_be_rewritten(home, where);
  }

  bool count(const llvm::Value &value, llvm::BasicBlock *where,
             llvm::SmallPtrSetImpl<const llvm::Value *> &counted) const {
    if (is_leaf(&value)) return lasts(value, where);
    if (!counted.insert(&value).second) return true;
    const auto &instruction = llvm::cast<llvm::Instruction>(value);
    const bool integer = instruction.getType()->isIntegerTy() || instruction.getType()->isPointerTy();
    const bool plain =
        llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst>(
            instruction);
    if (!integer || !plain || counted.size() > most_instructions) return false;
    if (!llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
    return llvm::all_of(instruction.operands(),
                        [&](const llvm::Use &operand) { return count(*operand, where, counted); });
  }

  // Behind the copies that are there already, which later ones may use.
  llvm::BasicBlock::iterator point_in(llvm::BasicBlock *block) {
    auto [place, isnew] = point_.try_emplace(block, nullptr);
    if (isnew) place->second = &*block->getFirstInsertionPt();
    return place->second->getIterator();
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
  rematerialiser again(function, regions, uniform);
  llvm::SmallVector<llvm::Instruction *> values;
  for (llvm::Instruction &value : llvm::instructions(function))
    if (!uniform.uniform(&value) && !llvm::isa<llvm::AllocaInst>(value)) values.push_back(&value);
  llvm::SmallVector<llvm::WeakTrackingVH> dead;
  // Users before what they use: a value that only made such a user is then not wanted elsewhere any more.
  for (llvm::Instruction *value : llvm::reverse(values)) {
    llvm::SmallVector<llvm::Use *> elsewhere;
    for (llvm::Use &use : value->uses())
      if (llvm::BasicBlock *where = place_of(use);
          where != value->getParent() && regions.crosses(value->getParent(), where, dominators))
        elsewhere.push_back(&use);
    // Where it has to be kept for one use, others may have it as well.
    if (!llvm::all_of(elsewhere, [&](const llvm::Use *use) { return again.is_cheap(*value, place_of(*use)); }))
      continue;
    for (llvm::Use *use : elsewhere) use->set(again.copy_to(value, place_of(*use)));
    if (value->use_empty() && !elsewhere.empty()) dead.emplace_back(value);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);  // not earlier: copies are found by the originals' addresses
}

}  // namespace dpep::jit::spmd
