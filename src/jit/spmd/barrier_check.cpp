// The words of the error, which are known when compiling.
#include "jit/spmd/barrier_check.hpp"

#include <string>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>

#include "jit/spmd/regions.hpp"
#include "jit/spmd/user_place.hpp"

namespace dpep::jit::spmd {
void report_parted_ways(llvm::IRBuilder<> &build, llvm::ArrayRef<llvm::BasicBlock *> heads,
                        llvm::ArrayRef<barrier> barriers) {
  bool of_group = false, somewhere = false;
  llvm::SmallVector<std::string> ways;
  for (llvm::BasicBlock *head : heads) {
    const auto *met = llvm::find_if(barriers, [&](const barrier &each) { return each.block == head; });
    std::string way = "leave the kernel";
    if (met != barriers.end()) {
      of_group |= met->of_group;
      const std::string place = place_of(met->place);
      somewhere |= place.empty();
      way = place.empty() ? "wait at one" : "wait at " + place;
    } else if (head) {
      way = "go elsewhere";
    }
    if (!llvm::is_contained(ways, way)) ways.push_back(way);
  }
  std::string text = "not all work-items of a " + std::string(of_group ? "work-group" : "sub-group") +
                     " come to the same barrier: some " + llvm::join(ways, ", some ");
  if (somewhere) text += "; compiled with -g, the kernel would say where";
  llvm::Value *null = llvm::ConstantPointerNull::get(build.getPtrTy());
  llvm::FunctionCallee fail = build.GetInsertBlock()->getModule()->getOrInsertFunction(
      "__dpep_assert_fail", build.getVoidTy(), build.getPtrTy(), build.getPtrTy(), build.getInt32Ty(),
      build.getPtrTy());
  auto *call = build.CreateCall(
      fail, {build.CreateGlobalString(text), null, build.getInt32(0), build.CreateGlobalString("found by DPEP_CHECK")});
  call->setDoesNotReturn();
  build.CreateUnreachable();
}

}  // namespace dpep::jit::spmd
