// Conditions on which work-items that run together agree.
#include "jit/compile/agreements.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/compile/builtins.hpp"
#include "jit/compile/preserved.hpp"

namespace dpep::jit {
namespace {

constexpr const char *agreement_name = "__dpep_agreement";

}  // namespace

llvm::Value *emit_agreement(llvm::Value &condition, llvm::Instruction &before) {
  llvm::IRBuilder<> build(&before);
  llvm::Type *type = build.getInt1Ty();
  const llvm::FunctionCallee callee = before.getModule()->getOrInsertFunction(agreement_name, type, type);
  llvm::CallInst *call = build.CreateCall(callee, build.CreateFreeze(&condition));
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  call->addFnAttr(llvm::Attribute::WillReturn);
  call->addRetAttr(llvm::Attribute::NoUndef);
  return call;
}

llvm::PreservedAnalyses drop_agreements::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  bool changed = false;
  for (llvm::Instruction &each : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (builtin_of(each) != builtin::agreement) continue;
    each.replaceAllUsesWith(llvm::cast<llvm::CallInst>(each).getArgOperand(0));
    each.eraseFromParent();
    changed = true;
  }
  return preserved(changed);
}

}  // namespace dpep::jit
