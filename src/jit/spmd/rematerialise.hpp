// Computing a cheap value again instead of keeping it across a barrier for every work-item.
#pragma once

namespace llvm {
class Function;
}

namespace dpep::jit::spmd {

class region_graph;
class uniformity;

/// Gives uses in other regions of values such as `group * 256 + local id` a computation of their own.
void rematerialise(llvm::Function &, const region_graph &, const uniformity &);

}  // namespace dpep::jit::spmd
