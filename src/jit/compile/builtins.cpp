// Maps function names to builtins.
#include "jit/compile/builtins.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit {

builtin builtin_of(const llvm::GlobalValue &global) {
  llvm::StringRef name = global.getName();
  if (!name.consume_front("__dpep_")) return builtin::none;
  return llvm::StringSwitch<builtin>(name)
      .Case("global_id", builtin::global_id)
      .Case("global_size", builtin::global_size)
      .Case("global_offset", builtin::global_offset)
      .Case("local_id", builtin::local_id)
      .Case("local_size", builtin::local_size)
      .Case("group_id", builtin::group_id)
      .Case("group_count", builtin::group_count)
      .Case("sub_group_id", builtin::sub_group_id)
      .Case("sub_group_count", builtin::sub_group_count)
      .Case("sub_group_local_id", builtin::sub_group_local_id)
      .Case("sub_group_size", builtin::sub_group_size)
      .Case("sub_group_max_size", builtin::sub_group_max_size)
      .Case("group_barrier", builtin::group_barrier)
      .Case("sub_group_barrier", builtin::sub_group_barrier)
      .Case("pause", builtin::pause)
      .Cases({"sub_group_shuffle32", "sub_group_shuffle64"}, builtin::sub_group_shuffle)
      .Cases({"masked_shuffle32", "masked_shuffle64"}, builtin::masked_shuffle)
      .Case("masked_barrier", builtin::masked_barrier)
      .Case("local_memory", builtin::local_memory)
      .Case("static_local_memory", builtin::static_local_memory)
      .Case("group_scratch", builtin::group_scratch)
      .Case("sized_memory", builtin::sized_memory)
      .Case("buffer_index", builtin::buffer_index)
      .Case("agreement", builtin::agreement)
      .Case("independent_iteration", builtin::independent_iteration)
      .Default(builtin::none);
}

builtin builtin_of(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? builtin_of(*callee) : builtin::none;
}

}  // namespace dpep::jit
