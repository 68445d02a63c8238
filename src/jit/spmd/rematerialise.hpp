// Rematerialisation: a cheap value is computed again instead of being spilled across a barrier for every work-item.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

class region_graph;
class uniformity;

/// Recomputes values such as `group * 256 + local id` in each other region that uses them.
void rematerialise(llvm::Function &, const region_graph &, const uniformity &);

}  // namespace dpep::jit::spmd
