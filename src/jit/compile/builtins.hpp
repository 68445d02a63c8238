// The builtins of <dpep/device_builtins.hpp>, as the JIT sees them: calls to functions without a body.
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
  sub_group_shuffle,
  local_memory,
  static_local_memory,
  group_scratch,
  sized_memory,
};

/// By its name; none for what stays a call (asserts and printf, which the device itself provides) and anything else.
builtin builtin_of(const llvm::GlobalValue &);
/// Of the function that the instruction calls.
builtin builtin_of(const llvm::Instruction &);

}  // namespace dpep::jit
