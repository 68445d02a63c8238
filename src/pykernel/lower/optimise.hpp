// What clang's optimiser does for C++ kernels before they are stored, for ours.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::pykernel {

/// Variables become registers, branches and short loops of known length go; no loop is vectorised.
void optimise(llvm::Function &);

}  // namespace dpep::pykernel
