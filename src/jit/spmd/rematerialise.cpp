// Rematerialisation of integers and addresses made from local ids and uniform values.
#include "jit/spmd/rematerialise.hpp"

#include <map>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
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
  explicit rematerialiser(const uniformity &uniform) : uniform_(uniform) {}

  bool is_cheap(llvm::Instruction &value) const {
    llvm::SmallPtrSet<const llvm::Value *, 16> counted;
    return count(value, counted);
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

  bool count(const llvm::Value &value, llvm::SmallPtrSetImpl<const llvm::Value *> &counted) const {
    if (is_leaf(&value) || !counted.insert(&value).second) return true;
    const auto &instruction = llvm::cast<llvm::Instruction>(value);
    const bool integer = instruction.getType()->isIntegerTy() || instruction.getType()->isPointerTy();
    const bool plain =
        llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst>(
            instruction);
    if (!integer || !plain || counted.size() > most_instructions) return false;
    if (!llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
    return llvm::all_of(instruction.operands(), [&](const llvm::Use &operand) { return count(*operand, counted); });
  }

  // Behind the copies that are there already, which later ones may use.
  llvm::BasicBlock::iterator point_in(llvm::BasicBlock *block) {
    auto [place, isnew] = point_.try_emplace(block, nullptr);
    if (isnew) place->second = &*block->getFirstInsertionPt();
    return place->second->getIterator();
  }

  const uniformity &uniform_;
  std::map<std::pair<llvm::Instruction *, llvm::BasicBlock *>, llvm::Instruction *> copies_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> point_;
};

}  // namespace

void rematerialise(llvm::Function &function, const region_graph &regions, const uniformity &uniform) {
  const llvm::DominatorTree dominators(function);
  rematerialiser again(uniform);
  llvm::SmallVector<llvm::Instruction *> values;
  for (llvm::Instruction &value : llvm::instructions(function))
    if (!uniform.uniform(&value) && !llvm::isa<llvm::AllocaInst>(value)) values.push_back(&value);
  llvm::SmallVector<llvm::WeakTrackingVH> dead;
  // Users before what they use: a value that only made such a user is then not wanted elsewhere any more.
  for (llvm::Instruction *value : llvm::reverse(values)) {
    std::optional<bool> cheap;
    for (llvm::Use &use : llvm::make_early_inc_range(value->uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *where = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (where == value->getParent() || !regions.crosses(value->getParent(), where, dominators)) continue;
      if (!cheap) cheap = again.is_cheap(*value);
      if (!*cheap) break;
      use.set(again.copy_to(value, where));
    }
    if (value->use_empty() && cheap.value_or(false)) dead.emplace_back(value);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);  // not earlier: copies are found by the originals' addresses
}

}  // namespace dpep::jit::spmd
