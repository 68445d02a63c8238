// DPEP_CHECK_SECONDS: a loop that does not end is an error, and not the end of all that waits for the kernel.
#pragma once

namespace llvm {
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Lets all loops look at the clock, which starts with the kernel's work-item.
void watch_loops(llvm::Module &, llvm::Function &kernel);

/// Whether the instruction is a call for that, of which one will do for all work-items that come here together.
bool is_loop_check(const llvm::Instruction &);

}  // namespace dpep::jit::spmd
