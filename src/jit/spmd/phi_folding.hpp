// Folding of phis whose incoming values are the same computation.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

/// Replaces a phi of two incoming values that are the same cheap computation by that computation. Compilers create such
/// phis to save a few additions. Here they would hide that a value is plain arithmetic on ids, which the vectoriser can
/// classify (uniform, strided) and which need not be spilled across a barrier for every work-item.
void fold_phis_of_equal_values(llvm::Function &);

}  // namespace dpep::jit::spmd
