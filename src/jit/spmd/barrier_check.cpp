// The error message of the barrier check. Its text is complete at compile time.
#include "jit/spmd/barrier_check.hpp"

#include <string>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>

#include "jit/spmd/regions.hpp"
#include "jit/spmd/source_location.hpp"

namespace dpep::jit::spmd {
void report_divergent_exit(llvm::IRBuilder<> &build, llvm::ArrayRef<llvm::BasicBlock *> heads,
                           llvm::ArrayRef<barrier> barriers) {
  bool whole_group = false, unknown_location = false;
  llvm::SmallVector<std::string> exits;
  for (llvm::BasicBlock *head : heads) {
    const auto *reached = llvm::find_if(barriers, [&](const barrier &each) { return each.block == head; });
    std::string exit = "leave the kernel";
    if (reached != barriers.end()) {
      whole_group |= reached->whole_group;
      const std::string location = source_location_of(reached->location);
      unknown_location |= location.empty();
      exit = location.empty() ? "wait at one" : "wait at " + location;
    } else if (head) {
      exit = "go elsewhere";
    }
    if (!llvm::is_contained(exits, exit)) exits.push_back(exit);
  }
  std::string text = "not all work-items of a " + std::string(whole_group ? "work-group" : "sub-group") +
                     " come to the same barrier: some " + llvm::join(exits, ", some ");
  if (unknown_location) text += "; compile with -g to see the source lines";
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
