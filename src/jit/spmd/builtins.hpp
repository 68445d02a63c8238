// The builtins of <dpep/device_builtins.hpp>, as the JIT sees them: calls to functions without a body.
#pragma once

namespace llvm {
class CallInst;
class Function;
class Instruction;
}  // namespace llvm

namespace dpep::jit::spmd {

enum class builtin {
  none,
  global_id,
  global_size,
  global_offset,
  local_id,
  local_size,
  group_id,
  group_count,
  sub_group_id,
  sub_group_count,
  sub_group_local_id,
  sub_group_size,
  sub_group_max_size,
  group_barrier,
  sub_group_barrier,
  sub_group_shuffle,
  local_memory,
  static_local_memory,
  group_scratch,
};

/// Of a function's name; none for whatever isn't the work of this folder (asserts and printf stay calls).
builtin builtin_of(const llvm::Function &);
/// Of the function that the instruction calls.
builtin builtin_of(const llvm::Instruction &);

}  // namespace dpep::jit::spmd
