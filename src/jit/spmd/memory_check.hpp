// DPEP_CHECK: an access to local memory or a private array, but not within it, ends the kernel with an error.
#pragma once

#include <cstddef>

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

/// Checks the accesses of a work-item's function whose addresses are computed from an object of known size. To be done
/// while the builtins are there, which say how large local memory is. `group_size`: its work-items.
void check_memory(llvm::Function &, std::size_t group_size);

}  // namespace dpep::jit::spmd
