// Which private variables of a work-item have to be kept for each work-item across barriers.
#pragma once

namespace llvm {
class AllocaInst;
class DominatorTree;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;

/// Whether what is in the variable may be wanted after the region that wrote it. If not, the work-items of a region,
/// which run one after the other, can all use the same place.
bool outlives_region(llvm::AllocaInst &, const region_graph &, const llvm::DominatorTree &);

}  // namespace dpep::jit::spmd
