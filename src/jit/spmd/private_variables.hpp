// The selection of private variables that must be kept for each work-item across barriers.
#pragma once

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;

/// Whether the variable may be read after the region that wrote it. If not, the work-items of a region, which run one
/// after the other, can reuse the same memory.
bool outlives_region(llvm::AllocaInst &, llvm::Function &, const region_graph &);

}  // namespace dpep::jit::spmd
