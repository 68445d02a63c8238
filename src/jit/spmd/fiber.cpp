// Kernels whose work-items wait for each other in loops: a function of one work-item, which runs as a fiber, with a
// stack of its own, and yields where it waits (backend/cpu/fiber_scheduler.hpp). A loop over work-items or a vector of
// them would deadlock: the work-item that is waited for would run after the one that waits.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/divergent_exchanges.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/spin_wait_loops.hpp"

namespace dpep::jit::spmd {
namespace {

/// Replaces the remaining builtins by calls of the runtime, which schedules the fibers.
void lower_to_runtime_calls(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> build(module.getContext());
  llvm::Type *nothing = build.getVoidTy(), *wide = build.getInt64Ty();
  const auto runtime_function = [&](const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> parameters) {
    llvm::FunctionCallee callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  };
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (builtin_of(instruction) != builtin::none) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  // The number of an exchange in the code, by which the scheduler tells exchanges apart and lets the first go on first.
  std::uint32_t site = 0;
  for (llvm::CallInst *call : calls) {
    build.SetInsertPoint(call);
    llvm::Value *mask = mask_of(*call);
    if (!mask) mask = build.getInt64(0);
    switch (builtin_of(*call)) {
    case builtin::group_barrier:
      build.CreateCall(runtime_function("__dpep_wait_for_group", nothing, {}));
      break;
    case builtin::sub_group_barrier:
      build.CreateCall(runtime_function("__dpep_wait_for_sub_group", nothing, {build.getInt32Ty(), wide}),
                       {build.getInt32(site++), mask});
      break;
    case builtin::sub_group_shuffle: {
      llvm::Value *input = build.CreateZExt(call->getArgOperand(0), wide);
      llvm::Value *result = build.CreateCall(
          runtime_function("__dpep_exchange", wide, {wide, build.getInt32Ty(), build.getInt32Ty(), wide}),
          {input, call->getArgOperand(1), build.getInt32(site++), mask});
      call->replaceAllUsesWith(build.CreateTrunc(result, call->getType()));
      break;
    }
    case builtin::agreement:
      call->replaceAllUsesWith(call->getArgOperand(0));
      break;
    case builtin::independent_iteration:
      break;
    default:
      continue;
    }
    call->eraseFromParent();
  }
}

}  // namespace

llvm::Function *make_fiber(work_item_function &item, const specialisation &special, std::string &remarks,
                           const char *reason, const std::string &location) {
  yield_in_spin_waits(*item.function->getParent(), special.debugged);
  lower_to_runtime_calls(*item.function);

  llvm::IRBuilder<> build(item.function->getContext());
  entry_frame frame = make_entry(item, special, build);
  // For one work-item instead of a span of the launch: `begin` is its work-group, `end` its linear local id.
  llvm::BasicBlock *work = build.GetInsertBlock();
  llvm::Instruction *span_check = frame.function->getEntryBlock().getTerminator();
  llvm::BranchInst::Create(work, span_check->getIterator());
  span_check->eraseFromParent();

  const auto group = coordinates(build, frame.begin, frame.group_count, special.dimensions);
  std::array<llvm::Value *, 3> id{};
  if (item.unit == local_id_unit::lanes) {
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
  // Stacks are small. Overflow is detected by touching the guard page at a stack's end.
  for (llvm::Function &function : *frame.function->getParent())
    if (!function.isDeclaration()) function.addFnAttr("probe-stack", "inline-asm");

  if (!remarks.empty()) remarks += "; ";
  remarks += std::string(reason) + " (" + location +
             "): each runs by itself and yields to others while it waits, so they are not vectorised";
  return frame.function;
}

}  // namespace dpep::jit::spmd
