// Replaces queries of target properties by constants and removes code for other kinds of devices, before later stages
// process it.
#include <cstdio>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

void fold_query(llvm::Module &module, llvm::StringRef name, std::uint64_t value) {
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

/// Removes the calls of a function that only states something about the kernel.
void remove_statements(llvm::Module &module, llvm::StringRef name) {
  llvm::Function *const statement = module.getFunction(name);
  if (!statement) return;
  for (llvm::User *user : llvm::make_early_inc_range(statement->users()))
    if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == statement)
      call->eraseFromParent();
}

/// Replaces the calls of a function by their first operand.
void forward_operand(llvm::Module &module, llvm::StringRef name) {
  llvm::Function *const function = module.getFunction(name);
  if (!function) return;
  for (llvm::User *user : llvm::make_early_inc_range(function->users()))
    if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledOperand() == function) {
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
}

/// Ten times the major version and the minor one, for NVIDIA's GPUs; 0 for other devices.
std::uint64_t compute_capability(const device_info &device) {
  unsigned major = 0, minor = 0;
  if (device.backend != backend_kind::cuda) return 0;
  if (std::sscanf(device.version.c_str(), "%u.%u", &major, &minor) != 2) return 0;
  return major * 10 + minor;
}

}  // namespace

void fold_device_queries(llvm::Module &module, const target &target, const device_info &device) {
  fold_query(module, "__dpep_has_fast_shuffles", target.has_fast_shuffles());
  fold_query(module, "__dpep_has_atomic_minimum", target.has_atomic_minimum());
  fold_query(module, "__dpep_has_fast_exp2", target.has_fast_exp2());
  fold_query(module, "__dpep_has_fast_reciprocals", target.has_fast_reciprocals());
  remove_statements(module, "__dpep_reads_constant");
  if (!target.uses_small_buffers()) forward_operand(module, "__dpep_buffer_index");
  fold_query(module, "__dpep_back_end", static_cast<std::uint64_t>(device.backend));
  fold_query(module, "__dpep_compute_capability", compute_capability(device));
}

}  // namespace dpep::jit
