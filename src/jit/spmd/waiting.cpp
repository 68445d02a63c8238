// Kernels whose work-items wait for each other in loops: a function of one work-item, each of which has a stack of its
// own and gives its turn away where it waits (backend/cpu/waiting_items.hpp). Work-items that share code, as loops over
// them and vectors do, could not: the one that is waited for would come after the one that waits.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/waiting_loops.hpp"

namespace dpep::jit::spmd {
namespace {

/// What is left of the builtins becomes calls of the host, which knows who waits where.
void call_host(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> build(module.getContext());
  llvm::Type *nothing = build.getVoidTy(), *wide = build.getInt64Ty();
  const auto host = [&](const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> parameters) {
    llvm::FunctionCallee callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  };
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (builtin_of(instruction) != builtin::none) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  for (llvm::CallInst *call : calls) {
    build.SetInsertPoint(call);
    switch (builtin_of(*call)) {
    case builtin::group_barrier:
      build.CreateCall(host("__dpep_wait_for_group", nothing, {}));
      break;
    case builtin::sub_group_barrier:
      build.CreateCall(host("__dpep_wait_for_sub_group", nothing, {}));
      break;
    case builtin::sub_group_shuffle: {
      llvm::Value *given = build.CreateZExt(call->getArgOperand(0), wide);
      llvm::Value *taken =
          build.CreateCall(host("__dpep_exchange", wide, {wide, build.getInt32Ty()}), {given, call->getArgOperand(1)});
      call->replaceAllUsesWith(build.CreateTrunc(taken, call->getType()));
      break;
    }
    default:
      continue;
    }
    call->eraseFromParent();
  }
}

}  // namespace

llvm::Function *make_waiting(work_item_function &item, const specialisation &special, std::string &remarks,
                             const std::string &place) {
  yield_in_waiting_loops(*item.function->getParent(), special.debugged);
  call_host(*item.function);

  llvm::IRBuilder<> build(item.function->getContext());
  entry_frame frame = make_entry(item, special, build);
  // not a span of the launch, but one work-item: `begin` is its unit and `end` its number there
  llvm::BasicBlock *work = build.GetInsertBlock();
  llvm::Instruction *look = frame.function->getEntryBlock().getTerminator();
  llvm::BranchInst::Create(work, look->getIterator());
  look->eraseFromParent();

  const auto group = coordinates(build, frame.begin, frame.group_count, special.dimensions);
  std::array<llvm::Value *, 3> id{};
  if (item.counts == counted::lanes) {
    llvm::Value *size = build.getInt64(item.sub_groups.size), *zero = build.getInt64(0);
    item.sub_group->replaceAllUsesWith(build.CreateUDiv(frame.end, size));
    id = {build.CreateURem(frame.end, size), zero, zero};
  } else {
    id = coordinates(
        build, frame.end,
        {build.getInt64(item.local_size[0]), build.getInt64(item.local_size[1]), build.getInt64(item.local_size[2])},
        3);
  }
  for (int d = 0; d < 3; ++d) item.local_id[d]->replaceAllUsesWith(id[d]);
  move_body(item, frame, work, frame.exit, group);
  // Stacks are small, and what lies beyond one is told by touching its end.
  for (llvm::Function &function : *frame.function->getParent())
    if (!function.isDeclaration()) function.addFnAttr("probe-stack", "inline-asm");

  if (!remarks.empty()) remarks += "; ";
  remarks += "work-items wait for each other (" + place +
             "): each is run by itself, and gives its turn to others while it waits, so there are no vectors of them";
  return frame.function;
}

}  // namespace dpep::jit::spmd
