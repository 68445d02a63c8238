// The equivalent of clang's optimisations of C++ kernels, for Python kernels.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::pykernel {

/// Promotes variables to registers, simplifies control flow and unrolls short loops. Does not vectorise.
void optimise(llvm::Function &);

}  // namespace dpep::pykernel
