// What kernels ask about the device is answered first, and the code for other kinds of device goes: nothing that comes
// after has to see it.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/compile/stages.hpp"

namespace dpep::jit {

namespace {

void answer(llvm::Module &module, llvm::StringRef question, bool is) {
  llvm::Function *const query = module.getFunction(question);
  if (!query) return;
  llvm::SmallPtrSet<llvm::Function *, 8> askers;
  for (llvm::User *user : llvm::make_early_inc_range(query->users())) {
    auto *const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledOperand() != query) continue;
    askers.insert(call->getFunction());
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), is));
    call->eraseFromParent();
  }
  for (llvm::Function *asker : askers) {
    for (llvm::BasicBlock &block : *asker) llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    llvm::removeUnreachableBlocks(*asker);
  }
}

}  // namespace

void answer_queries(llvm::Module &module, const target &target) {
  answer(module, "__dpep_has_fast_shuffles", target.has_fast_shuffles());
  answer(module, "__dpep_has_atomic_minimum", target.has_atomic_minimum());
  answer(module, "__dpep_has_fast_exp2", target.has_fast_exp2());
  answer(module, "__dpep_prefers_single", target.prefers_single());
  answer(module, "__dpep_has_fast_reciprocals", target.has_fast_reciprocals());
}

}  // namespace dpep::jit
