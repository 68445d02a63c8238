// The pass pipeline that runs once on a new kernel, before the JIT's work-group passes.
#include "pykernel/lower/optimise.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/ConstraintElimination.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/compile/analyses.hpp"
#include "pykernel/lower/joined_quotients.hpp"
#include "pykernel/lower/narrow_conversions.hpp"
#include "pykernel/lower/narrow_indices.hpp"
#include "pykernel/lower/narrow_loop_values.hpp"
#include "pykernel/lower/wrapped_indices.hpp"

namespace dpep::pykernel {

void optimise(llvm::Function &kernel) {
  using namespace llvm;
  jit::analyses analyses(nullptr);
  const Module &module = *kernel.getParent();
  const bool may_wrap = module.getFunction(wrapped_index_name(machine_type::i32)) ||
                        module.getFunction(wrapped_index_name(machine_type::i64));
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(join_quotients());
  passes.addPass(AggressiveInstCombinePass());  // the number of one bits, as clang does in C++
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());  // conditions that are computed by branches become branches
  // Remove sign tests of indices that an earlier condition shows to be nonnegative.
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(ConstraintEliminationPass());
  if (may_wrap) passes.addPass(narrow_indices());
  passes.addPass(narrow_conversions());
  const bool has_loops = any_of(kernel, [](const BasicBlock &b) { return b.getName().starts_with("loop"); });
  if (has_loops) passes.addPass(narrow_loop_values());
  passes.addPass(resolve_wrapped_indices(has_loops));
  passes.addPass(SimplifyCFGPass());
  if (has_loops) {
    LoopPassManager shape;
    shape.addPass(LoopRotatePass());
    shape.addPass(LICMPass(LICMOptions()));
    if (may_wrap) shape.addPass(SimpleLoopUnswitchPass(/*NonTrivial=*/true));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
    if (may_wrap) passes.addPass(drop_index_selections());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(InstCombinePass());
    LoopPassManager counters;
    counters.addPass(IndVarSimplifyPass());
    counters.addPass(LoopDeletionPass());
    counters.addPass(LoopFullUnrollPass());
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
    if (may_wrap) {
      passes.addPass(InstCombinePass());
      passes.addPass(ConstraintEliminationPass());
      passes.addPass(resolve_wrapped_indices(false));
    }
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // private arrays whose indices are constant after unrolling
  }
  passes.addPass(GVNPass());
  passes.addPass(InstCombinePass());
  passes.addPass(DSEPass());
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  passes.run(kernel, analyses.functions);
}

}  // namespace dpep::pykernel
