// Atomic operations on local memory, made non-atomic: one thread runs a whole work-group.
#pragma once

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Marks the atomic operations on local memory; copies inherit the mark. They stay atomic while loops are vectorised.
void mark_local_atomics(llvm::Function &, const llvm::Value &local_memory);
/// Replaces the marked operations by plain loads and stores.
void lower_local_atomics(llvm::Function &);

}  // namespace dpep::jit::spmd
