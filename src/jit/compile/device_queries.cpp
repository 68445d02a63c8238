// Replaces queries of target properties by constants and removes code for other kinds of devices, before later stages
// process it.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

void fold_query(llvm::Module &module, llvm::StringRef name, bool value) {
  llvm::Function *const query = module.getFunction(name);
  if (!query) return;
  llvm::SmallPtrSet<llvm::Function *, 8> callers;
  for (llvm::User *user : llvm::make_early_inc_range(query->users())) {
    auto *const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledOperand() != query) continue;
    callers.insert(call->getFunction());
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), value));
    call->eraseFromParent();
  }
  for (llvm::Function *caller : callers) {
    for (llvm::BasicBlock &block : *caller) llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    llvm::removeUnreachableBlocks(*caller);
  }
}

}  // namespace

void fold_device_queries(llvm::Module &module, const target &target) {
  fold_query(module, "__dpep_has_fast_shuffles", target.has_fast_shuffles());
  fold_query(module, "__dpep_has_atomic_minimum", target.has_atomic_minimum());
  fold_query(module, "__dpep_has_fast_exp2", target.has_fast_exp2());
  fold_query(module, "__dpep_has_fast_reciprocals", target.has_fast_reciprocals());
}

}  // namespace dpep::jit
