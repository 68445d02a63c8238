// DPEP_CHECK_SECONDS: a loop that runs for too long is an error, instead of a program that hangs.
#pragma once

namespace llvm {
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Inserts a check of the elapsed time into all loops. The time starts at the beginning of a work-item.
void insert_loop_checks(llvm::Module &, llvm::Function &kernel);

/// Whether the instruction is a call of the check. One call serves all lanes of a vector.
bool is_loop_check(const llvm::Instruction &);

}  // namespace dpep::jit::spmd
