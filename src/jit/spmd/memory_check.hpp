// DPEP_CHECK: an access outside of the bounds of local memory or a private array, through a null pointer, and a
// division of integers without a result end the kernel with an error.
#pragma once

#include <cstddef>

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

/// Inserts checks of the accesses whose addresses are computed from an object of known size, of the other accesses for
/// null pointers, and of divisors. The processor would stop at the last two also, but not know the line. Must run
/// before the builtins are lowered, since their calls contain the size of local memory. `group_size`: work-items of a
/// group.
void check_memory(llvm::Function &, std::size_t group_size);

}  // namespace dpep::jit::spmd
