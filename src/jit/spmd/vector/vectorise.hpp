// The pass that turns loops over work-items into loops over vectors of work-items.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/PassManager.h>

#include <dpep/kernel.hpp>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// Attribute of functions that process several work-items in each iteration, in scalar instructions. They must not be
/// vectorised again, which would introduce the gathers that the scalars avoid.
inline constexpr const char *scalar_work_items_attribute = "dpep-scalars-beside";

/// Vectorises the loops over work-items. Leaves loops that it does not support to LLVM's vectoriser; the report has the
/// reason.
class vectorise_items : public llvm::PassInfoMixin<vectorise_items> {
public:
  /// `width`: the number of work-items in a vector; 0: as suits the loop.
  vectorise_items(kernel_report &report, unsigned width) : report_(&report), width_(width) {}
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }  // spelt as LLVM's pass manager expects

private:
  /// How to vectorise a loop.
  struct request {
    bool only_loop = false;           // the function has no other item loop
    unsigned lanes = 0, vectors = 1;  // lanes 0: as suits the loop
    bool keeps_lane_bits = false;     // what is known of the lanes of ids' low bits is in `strides`
    lane_strides strides = lane_strides();
  };
  /// Vectorises the loop and returns the number of lanes; 1: it stays scalar.
  unsigned vectorise(llvm::BasicBlock &header, llvm::FunctionAnalysisManager &, const request &);

  kernel_report *report_;
  unsigned width_;
};

}  // namespace dpep::jit::spmd
