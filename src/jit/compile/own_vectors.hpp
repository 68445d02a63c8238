// Kernels whose work-items compute with vectors of their own.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit {

/// Whether the function's own vectors are kept, where others are replaced by their elements, to vectorise across
/// work-items. True for functions without calls and barriers that read and write memory in vectors of at least eight
/// elements: such vectors of several work-items are far apart in memory, and gathering their elements would cost more
/// than the arithmetic.
bool keeps_own_vectors(const llvm::Function &);

}  // namespace dpep::jit
