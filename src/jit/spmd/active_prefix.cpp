// The search for the bound, and its computation before the region's loop.
#include "jit/spmd/active_prefix.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/effect_guards.hpp"
#include "jit/spmd/group_context.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/shuffles.hpp"
#include "jit/spmd/spill_slots.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr int max_instructions = 8;  // to compute a bound

/// Recomputation of a bound before the region.
class hoisted_bound {
public:
  hoisted_bound(const region &code, const group_context &context,
                llvm::function_ref<llvm::Value *(llvm::Value *)> argument)
      : region_(code), context_(context), argument_(argument) {}

  bool is_available(const llvm::Value *value) {
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64) return false;
    if (llvm::isa<llvm::ConstantInt>(value)) return true;
    if (llvm::isa<llvm::Argument>(value)) return !llvm::is_contained(context_.item.local_id, value);
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || ++instructions_ > max_instructions) return false;
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) return is_unmodified(*load);
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) &&
           llvm::isSafeToSpeculativelyExecute(instruction) &&
           llvm::all_of(instruction->operands(), [&](const llvm::Use &operand) { return is_available(operand); });
  }

  llvm::Value *emit(llvm::IRBuilder<> &build, llvm::Value *value) {
    if (llvm::isa<llvm::ConstantInt>(value)) return value;
    if (llvm::isa<llvm::Argument>(value)) return argument_(value);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value))
      return build.CreateLoad(load->getType(), context_.memory.uniform_variables[number_of(*load)]);
    llvm::Instruction *copy = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use &operand : copy->operands()) operand.set(emit(build, operand));
    return build.Insert(copy);
  }

private:
  unsigned number_of(const llvm::LoadInst &load) const {
    return context_.memory.slot_number_of.lookup(load.getPointerOperand());
  }

  /// Whether the load is of a uniform spill slot that is not stored to between the region's head and the load.
  bool is_unmodified(const llvm::LoadInst &load) const {
    const llvm::Value *variable = load.getPointerOperand();
    if (!context_.memory.slot_number_of.contains(variable) || !context_.slots.all()[number_of(load)].uniform)
      return false;
    const auto stores = [&](const llvm::Instruction &instruction) {
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && store->getPointerOperand() == variable;
    };
    const llvm::BasicBlock *home = load.getParent();
    if (!region_.blocks.contains(const_cast<llvm::BasicBlock *>(home))) return false;
    for (const llvm::Instruction &before : *home) {
      if (&before == &load) break;
      if (stores(before)) return false;
    }
    llvm::SetVector<const llvm::BasicBlock *> earlier;
    const auto add_before = [&](const llvm::BasicBlock *block) {
      if (block == region_.head) return;
      for (const llvm::BasicBlock *before : llvm::predecessors(block))
        if (region_.blocks.contains(const_cast<llvm::BasicBlock *>(before))) earlier.insert(before);
    };
    add_before(home);
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (llvm::any_of(*earlier[i], stores)) return false;
      add_before(earlier[i]);
    }
    return true;
  }

  const region &region_;
  const group_context &context_;
  llvm::function_ref<llvm::Value *(llvm::Value *)> argument_;
  int instructions_ = 0;
};

/// Returns the bound if the guard is `id < bound`, else null. Ids are small, so a comparison of any width and
/// signedness compares non-negative numbers.
llvm::Value *upper_bound_of(const effect_guard &guard, const llvm::Value *id) {
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

llvm::Value *active_prefix_length(llvm::IRBuilder<> &build, const region &code, const group_context &context,
                                  std::size_t all, llvm::function_ref<bool(const llvm::Instruction &)> effect,
                                  llvm::function_ref<llvm::Value *(llvm::Value *)> argument) {
  const auto effects = blocks_with(code, effect);
  for (const effect_guard &guard : guards_of(effects, code, context.dominators)) {
    llvm::Value *bound = upper_bound_of(guard, context.item.local_id[0]);
    hoisted_bound hoisted(code, context, argument);
    if (!bound || !hoisted.is_available(bound)) continue;
    llvm::Value *end = build.CreateZExt(hoisted.emit(build, bound), build.getInt64Ty());
    end = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, end, build.getInt64(all));
    return build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, end, build.getInt64(1));
  }
  return nullptr;
}

}  // namespace dpep::jit::spmd
