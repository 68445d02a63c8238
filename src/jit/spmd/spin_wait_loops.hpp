// Spin-wait loops: loops in which a work-item waits for another one, with a lock, a flag or a counter.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace dpep::jit::spmd {

/// Returns the location of the first spin-wait loop in any function of the module: "file:line", or "a loop" if the
/// location is unknown. Empty if there is none. Loops that retry an atomic update do not wait: when one fails, another
/// work-item's update has succeeded. `unoptimised`: the code is not optimised, so every loop around an atomic load or
/// exchange is taken for one.
std::string find_spin_wait(llvm::Module &, bool unoptimised);

/// Inserts a yield to other work-items into each iteration of such loops.
void yield_in_spin_waits(llvm::Module &, bool unoptimised);

}  // namespace dpep::jit::spmd
