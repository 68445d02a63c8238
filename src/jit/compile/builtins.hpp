// The builtins of <dpep/device_builtins.hpp>, which are calls of undefined functions in a kernel's IR.
#pragma once

namespace llvm {
class GlobalValue;
class Instruction;
}  // namespace llvm

namespace dpep::jit {

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
  pause,
  sub_group_shuffle,
  masked_shuffle,
  masked_barrier,
  local_memory,
  static_local_memory,
  group_scratch,
  sized_memory,
  buffer_index,
  agreement,              // emitted by compilers of kernels only (agreements.hpp)
  independent_iteration,  // the same; its argument counts the iterations of a loop that may run in any order
};

/// Returns the builtin of this name. `none` for all other functions, also for assertions and printf, which remain calls
/// of functions that the device provides.
builtin builtin_of(const llvm::GlobalValue &);
/// Returns the builtin that the instruction calls.
builtin builtin_of(const llvm::Instruction &);

}  // namespace dpep::jit
