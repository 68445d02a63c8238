// Finding the bound, and computing it before the region's loop.
#include "jit/spmd/first_items.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/cells.hpp"
#include "jit/spmd/effect_guards.hpp"
#include "jit/spmd/exchanges.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/region_code.hpp"
#include "jit/spmd/regions.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr int most_instructions = 8;

/// Copies of what a bound is made of, put before the region.
class early_value {
public:
  early_value(const region &where, const group_context &context,
              llvm::function_ref<llvm::Value *(llvm::Value *)> argument)
      : where_(where), context_(context), argument_(argument) {}

  bool known(const llvm::Value *value) {
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64) return false;
    if (llvm::isa<llvm::ConstantInt>(value)) return true;
    if (llvm::isa<llvm::Argument>(value)) return !llvm::is_contained(context_.item.local_id, value);
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || ++counted_ > most_instructions) return false;
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return is_old(*load);
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) &&
           llvm::isSafeToSpeculativelyExecute(instruction) &&
           llvm::all_of(instruction->operands(), [&](const llvm::Use &operand) { return known(operand); });
  }

  llvm::Value *make(llvm::IRBuilder<> &build, llvm::Value *value) {
    if (llvm::isa<llvm::ConstantInt>(value)) return value;
    if (llvm::isa<llvm::Argument>(value)) return argument_(value);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
      return build.CreateLoad(load->getType(), context_.memory.shared[number_of(*load)]);
    llvm::Instruction *copy = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use &operand : copy->operands()) operand.set(make(build, operand));
    return build.Insert(copy);
  }

private:
  unsigned number_of(const llvm::LoadInst &load) const {
    return context_.memory.cell_of.lookup(load.getPointerOperand());
  }

  /// Of a cell that all share, in which nothing has been stored on the way from the region's head.
  bool is_old(const llvm::LoadInst &load) const {
    const llvm::Value *variable = load.getPointerOperand();
    if (!context_.memory.cell_of.contains(variable) || !context_.cells.all()[number_of(load)].uniform) return false;
    const auto stores = [&](const llvm::Instruction &instruction) {
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && store->getPointerOperand() == variable;
    };
    const llvm::BasicBlock *home = load.getParent();
    if (!where_.blocks.contains(const_cast<llvm::BasicBlock *>(home))) return false;
    for (const llvm::Instruction &before : *home) {
      if (&before == &load) break;
      if (stores(before)) return false;
    }
    llvm::SetVector<const llvm::BasicBlock *> earlier;
    const auto add_before = [&](const llvm::BasicBlock *block) {
      if (block == where_.head) return;
      for (const llvm::BasicBlock *before : llvm::predecessors(block))
        if (where_.blocks.contains(const_cast<llvm::BasicBlock *>(before))) earlier.insert(before);
    };
    add_before(home);
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (llvm::any_of(*earlier[i], stores)) return false;
      add_before(earlier[i]);
    }
    return true;
  }

  const region &where_;
  const group_context &context_;
  llvm::function_ref<llvm::Value *(llvm::Value *)> argument_;
  int counted_ = 0;
};

/// What the first id is compared with if the guard lets pass only those below; else null. Ids are small: whatever the
/// width and the sign of the comparison, it is one of numbers that are not negative.
llvm::Value *bound_of(const effect_guard &guard, const llvm::Value *id) {
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(guard.condition);
  if (!compare) return nullptr;
  const auto is_id = [&](const llvm::Value *value) {
    if (auto *cast = llvm::dyn_cast<llvm::CastInst>(value);
        cast && cast->getType()->isIntegerTy() && cast->getType()->getIntegerBitWidth() >= 32)
      value = cast->getOperand(0);
    return value == id;
  };
  llvm::ICmpInst::Predicate predicate = guard.passes_if ? compare->getPredicate() : compare->getInversePredicate();
  llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (is_id(right)) {
    std::swap(left, right);
    predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
  }
  if (!is_id(left)) return nullptr;
  return predicate == llvm::ICmpInst::ICMP_ULT || predicate == llvm::ICmpInst::ICMP_SLT ? right : nullptr;
}

}  // namespace

llvm::Value *first_items(llvm::IRBuilder<> &build, const region &where, const group_context &context, std::size_t all,
                         llvm::function_ref<bool(const llvm::Instruction &)> effect,
                         llvm::function_ref<llvm::Value *(llvm::Value *)> argument) {
  const auto effects = blocks_with(where, effect);
  for (const effect_guard &guard : guards_of(effects, where, context.dominators)) {
    llvm::Value *bound = bound_of(guard, context.item.local_id[0]);
    early_value early(where, context, argument);
    if (!bound || !early.known(bound)) continue;
    llvm::Value *end = build.CreateZExt(early.make(build, bound), build.getInt64Ty());
    end = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, end, build.getInt64(all));
    return build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, end, build.getInt64(1));
  }
  return nullptr;
}

}  // namespace dpep::jit::spmd
