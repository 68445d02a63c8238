// Divergent exchanges are found from the branches that control them.
#include "jit/spmd/divergent_exchanges.hpp"

#include <algorithm>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/id_arithmetic.hpp"
#include "jit/spmd/postdominators.hpp"
#include "jit/spmd/uniformity.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr const char *mask_bundle = "dpep.mask";

/// Whether the value differs within a sub-group; empty if it depends on more than local ids.
std::optional<bool> differs_in_sub_group(const llvm::Value *value, const work_item_function &item) {
  const sub_group_layout &layout = item.sub_groups;
  for (std::size_t number = 0; number < layout.count; ++number) {
    std::optional<std::uint64_t> first;
    const std::size_t lanes = number + 1 == layout.count ? layout.last : layout.size;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const auto here = value_at(value, item, {.local_id = {lane, 0, 0}, .sub_group = number});
      if (!here) return {};
      if (!first) first = here;
      if (*here != *first) return true;
    }
  }
  return false;
}

}  // namespace

bool is_exchange(const llvm::Instruction &instruction) {
  const builtin which = builtin_of(instruction);
  return which == builtin::sub_group_shuffle || which == builtin::sub_group_barrier;
}

bool may_divide_sub_group(const llvm::Value *condition, const work_item_function &item) {
  return differs_in_sub_group(condition, item).value_or(true);
}

void attach_masks(llvm::Module &module) {
  const auto replace = [&](const char *name, const char *plain) {
    llvm::Function *const masked = module.getFunction(name);
    if (!masked) return;
    const unsigned kept = masked->arg_size() - 1;  // the mask is the last parameter
    auto *type = llvm::FunctionType::get(masked->getReturnType(), masked->getFunctionType()->params().take_front(kept),
                                         /*isVarArg=*/false);
    auto *const function = llvm::cast<llvm::Function>(module.getOrInsertFunction(plain, type).getCallee());
    function->setConvergent();
    function->setDoesNotThrow();
    for (llvm::User *user : llvm::make_early_inc_range(masked->users())) {
      auto *const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != masked) continue;
      llvm::SmallVector<llvm::Value *> arguments(call->args());
      const llvm::OperandBundleDef bundle(mask_bundle, arguments.pop_back_val());
      auto *const made = llvm::CallInst::Create(type, function, arguments, {bundle}, "", call->getIterator());
      made->setConvergent();
      made->setDebugLoc(call->getDebugLoc());
      call->replaceAllUsesWith(made);
      call->eraseFromParent();
    }
  };
  replace("__dpep_masked_shuffle32", "__dpep_sub_group_shuffle32");
  replace("__dpep_masked_shuffle64", "__dpep_sub_group_shuffle64");
  replace("__dpep_masked_barrier", "__dpep_sub_group_barrier");
}

llvm::Value *mask_of(const llvm::CallInst &call) {
  const auto bundle = call.getOperandBundle(mask_bundle);
  return bundle ? bundle->Inputs.front().get() : nullptr;
}

bool has_divergent_exchange(work_item_function &item) {
  if (item.unit != local_id_unit::lanes || item.sub_groups.size == 1) return false;
  const uniformity uniform(item);
  llvm::SmallVector<const llvm::CallInst *> exchanges;
  for (llvm::Instruction &instruction : llvm::instructions(*item.function)) {
    if (!is_exchange(instruction) || uniform.is_convergent(instruction.getParent())) continue;
    const auto *call = llvm::cast<llvm::CallInst>(&instruction);
    if (mask_of(*call)) return true;
    exchanges.push_back(call);
  }
  if (exchanges.empty() || item.checked) return false;  // checks report those without masks
  const postdominators ends(*item.function);
  for (llvm::BasicBlock &block : *item.function) {
    const llvm::Instruction *branch = block.getTerminator();
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(branch) || branch->getNumSuccessors() < 2) continue;
    const llvm::Value *condition = branch->getOperand(0);
    if (uniform.is_uniform(condition)) continue;
    const auto controlled = blocks_between(&block, ends.immediate(&block));
    const bool controls = std::ranges::any_of(exchanges, [&](const llvm::CallInst *call) {
      return controlled.contains(const_cast<llvm::BasicBlock *>(call->getParent()));
    });
    if (controls && differs_in_sub_group(condition, item).value_or(false)) return true;
  }
  return false;
}

}  // namespace dpep::jit::spmd
