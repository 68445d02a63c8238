// Values that were computed once on each way to a place, computed at the place instead.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

/// Replaces phis of two ways on which the same cheap computation is made by that computation. Compilers make such
/// phis to save a few additions; here they would hide that a value is plain arithmetic on ids, which has a shape and
/// need not be kept across a barrier for every work-item.
void compute_where_used(llvm::Function &);

}  // namespace dpep::jit::spmd
