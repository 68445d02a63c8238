// The pass that turns loops over work-items into loops over vectors of work-items.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/PassManager.h>

#include <dpep/kernel.hpp>

namespace dpep::jit::spmd {

/// Attribute of functions whose work-items are done beside each other in scalars: making vectors of these again would
/// gather, which is what was to be avoided.
inline constexpr const char *scalars_beside_each_other = "dpep-scalars-beside";

/// Loops that it doesn't take are left as they are, to LLVM's vectoriser; the report says why.
class vectorise_items : public llvm::PassInfoMixin<vectorise_items> {
public:
  /// `width`: how many work-items every vector has; 0: as many as suit the loop.
  vectorise_items(kernel_report &report, unsigned width) : report_(&report), width_(width) {}
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }  // LLVM's name for it

private:
  /// The loop's vectors have how many lanes, `given` ones perhaps; 1: it stays scalar.
  /// `alone`: there is no other such loop in the function.
  unsigned vectorise(llvm::BasicBlock &header, llvm::FunctionAnalysisManager &, unsigned given, bool alone);

  kernel_report *report_;
  unsigned width_;
};

}  // namespace dpep::jit::spmd
