// Marks loops of few iterations with barriers for full unrolling.
#pragma once

#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace llvm {
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit {

/// Whether mark_stage_loops marks a loop for unrolling.
bool is_stage_loop(const llvm::Loop &, llvm::ScalarEvolution &, llvm::LoopInfo &);

/// A loop pass, before LLVM's full unrolling. The stages of algorithms in local memory, such as Fourier transforms,
/// sorting networks, scans and reductions by halves, are loops with barriers. Their counter is a factor or a mask of
/// indices, or the distance between elements. Marks such a loop if it has few iterations and its code stays short: the
/// counter is a constant in each iteration then.
class mark_stage_loops : public llvm::PassInfoMixin<mark_stage_loops> {
public:
  /// `only_innermost`: does not mark loops that contain loops. On CPUs, a bitonic sort takes more time when they are
  /// unrolled.
  explicit mark_stage_loops(bool only_innermost = false) : only_innermost_(only_innermost) {}

  llvm::PreservedAnalyses run(llvm::Loop &, llvm::LoopAnalysisManager &, llvm::LoopStandardAnalysisResults &,
                              llvm::LPMUpdater &);

private:
  bool only_innermost_;
};

}  // namespace dpep::jit
