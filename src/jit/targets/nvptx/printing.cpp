// Lowers printf to the driver's vprintf.
#include "jit/targets/nvptx/printing.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "backend/abi.hpp"

namespace dpep::jit::nvptx_builtins {

void lower_printing(llvm::Module &module) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (const char *name : {"__dpep_printf", "printf"})
    if (llvm::Function *const f = module.getFunction(name))
      for (llvm::User *user : f->users())
        if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == f)
          calls.push_back(call);
  if (!calls.empty())  // tells the loader that the output must be flushed
    new llvm::GlobalVariable(module, llvm::Type::getInt32Ty(module.getContext()), false,
                             llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantInt::get(module.getContext(), llvm::APInt(32, 0)),
                             backend::abi::printing_name, nullptr, llvm::GlobalValue::NotThreadLocal, 1);
  for (llvm::CallInst *call : calls) {
    llvm::Function &function = *call->getFunction();
    llvm::IRBuilder<> build(&*function.getEntryBlock().begin());
    llvm::Type *const pointer = build.getPtrTy();
    llvm::SmallVector<llvm::Type *> types;
    for (unsigned i = 1; i < call->arg_size(); ++i) types.push_back(call->getArgOperand(i)->getType());
    llvm::Value *values = llvm::ConstantPointerNull::get(build.getPtrTy());
    if (!types.empty()) {
      auto *const structure = llvm::StructType::get(build.getContext(), types);
      values = build.CreateAlloca(structure);
      build.SetInsertPoint(call);
      for (unsigned i = 0; i < types.size(); ++i)
        build.CreateStore(call->getArgOperand(i + 1), build.CreateStructGEP(structure, values, i));
    }
    build.SetInsertPoint(call);
    const llvm::FunctionCallee print =
        module.getOrInsertFunction("vprintf", llvm::FunctionType::get(build.getInt32Ty(), {pointer, pointer}, false));
    call->replaceAllUsesWith(build.CreateCall(print, {call->getArgOperand(0), values}));
    call->eraseFromParent();
  }
}

}  // namespace dpep::jit::nvptx_builtins
