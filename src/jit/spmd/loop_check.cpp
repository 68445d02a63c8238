// Calls of the runtime's check at the targets of back edges. This includes irreducible loops, which LoopInfo does not
// list.
#include "jit/spmd/loop_check.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "jit/spmd/source_location.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr char check_attribute[] = "dpep-loop-check";

llvm::FunctionCallee runtime_function(llvm::Module &module, const char *name, llvm::ArrayRef<llvm::Type *> parameters) {
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), parameters, false);
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(check_attribute);
  function->setDoesNotThrow();
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());  // does not access the kernel's memory
  return callee;
}

std::string location_of_loop(const llvm::BasicBlock &head, const llvm::BasicBlock &end) {
  std::string location = source_location_of(end.getTerminator()->getDebugLoc());
  for (const llvm::BasicBlock *block : {&head, &end})
    for (const llvm::Instruction &instruction : *block)
      if (location.empty()) location = source_location_of(instruction.getDebugLoc());
  return location;
}

}  // namespace

void insert_loop_checks(llvm::Module &module, llvm::Function &kernel) {
  const auto begin = runtime_function(module, "__dpep_loops_begin", {});
  const auto check = runtime_function(module, "__dpep_loop_check", {llvm::PointerType::get(module.getContext(), 0)});
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> edges;
    llvm::FindFunctionBackedges(function, edges);
    llvm::MapVector<llvm::BasicBlock *, std::string> heads;
    for (const auto &[end, head] : edges)
      heads.try_emplace(const_cast<llvm::BasicBlock *>(head), location_of_loop(*head, *end));
    for (const auto &[head, location] : heads) {
      llvm::IRBuilder<> build(head, head->getFirstInsertionPt());
      build.SetCurrentDebugLocation({});
      build.CreateCall(check, {build.CreateGlobalString(location)});
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
  return callee && callee->hasFnAttribute(check_attribute);
}

}  // namespace dpep::jit::spmd
