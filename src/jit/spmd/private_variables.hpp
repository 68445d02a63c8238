// Which private variables of a work-item have to be kept for each work-item across barriers.
#pragma once

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;

/// Whether what is in the variable may be wanted after the region that wrote it. If not, the work-items of a region,
/// which run one after the other, can all use the same place.
bool outlives_region(llvm::AllocaInst &, llvm::Function &, const region_graph &);

}  // namespace dpep::jit::spmd
