// Putting calls where loops start over: also in loops that LLVM knows as none, since they can be entered in several
// ways.
#include "jit/spmd/loop_check.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "jit/spmd/user_place.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr char mark[] = "dpep-loop-check";

llvm::FunctionCallee host_function(llvm::Module &module, const char *name, llvm::ArrayRef<llvm::Type *> parameters) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), parameters, false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(mark);
  function->setDoesNotThrow();
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());  // not of the kernel's memory, that is
  return callee;
}

std::string place_of_loop(const llvm::BasicBlock &head, const llvm::BasicBlock &end) {
  std::string place = place_of(end.getTerminator()->getDebugLoc());
  for (const llvm::BasicBlock *block : {&head, &end})
    for (const llvm::Instruction &instruction : *block)
      if (place.empty()) place = place_of(instruction.getDebugLoc());
  return place;
}

}  // namespace

void watch_loops(llvm::Module &module, llvm::Function &kernel) {
  const auto begin = host_function(module, "__dpep_loops_begin", {});
  const auto check = host_function(module, "__dpep_loop_check", {llvm::PointerType::get(module.getContext(), 0)});
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> edges;
    llvm::FindFunctionBackedges(function, edges);
    llvm::MapVector<llvm::BasicBlock *, std::string> heads;
    for (const auto &[end, head] : edges)
      heads.try_emplace(const_cast<llvm::BasicBlock *>(head), place_of_loop(*head, *end));
    for (const auto &[head, place] : heads) {
      llvm::IRBuilder<> build(head, head->getFirstInsertionPt());
      build.SetCurrentDebugLocation({});
      build.CreateCall(check, {build.CreateGlobalString(place)});
    }
  }
  llvm::BasicBlock &entry = kernel.getEntryBlock();
  llvm::IRBuilder<> build(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  build.SetCurrentDebugLocation({});
  build.CreateCall(begin);
}

bool is_loop_check(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->hasFnAttribute(mark);
}

}  // namespace dpep::jit::spmd
