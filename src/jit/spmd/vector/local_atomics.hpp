// Atomic operations on local memory: one thread runs a whole work-group, so plain ones will do.
#pragma once

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Marks them, which what is copied from them is, too: for vectorising they stay what they are.
void mark_local_atomics(llvm::Function &, const llvm::Value &local_memory);
/// Makes those that are marked plain.
void lower_local_atomics(llvm::Function &);

}  // namespace dpep::jit::spmd
