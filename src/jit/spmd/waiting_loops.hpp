// Loops in which a work-item waits for another one: with a lock, a flag, a counter that others move on.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace dpep::jit::spmd {

/// Where a work-item waits for what others do, in any function of the module: "file:line", or "a loop" where that is
/// not known. Empty: nowhere. Loops that retry an update of memory do not wait: when theirs fails, another's was done.
/// `as_written`: the code is not optimised, so every loop around an atomic load or exchange counts.
std::string find_waiting_loop(llvm::Module &, bool as_written);

/// Lets such loops give the turn to other work-items each time they start over.
void yield_in_waiting_loops(llvm::Module &, bool as_written);

}  // namespace dpep::jit::spmd
