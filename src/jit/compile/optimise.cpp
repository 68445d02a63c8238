// The optimiser's pass pipeline, a compromise of compile time and code quality (benchmarks/core/launch_bench.cpp).
//
// clang or dpep's own compilers have already optimised kernels once, but without loop transformations. Then functions
// were linked in and a loop over work-items was added. The remaining steps are inlining, one clean-up, loop
// canonicalisation, vectorisation, and a clean-up after it. LLVM's O2 pipeline runs most of these two or three times
// and takes twice as long for the same code.
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include "jit/compile/agreements.hpp"
#include "jit/compile/analyses.hpp"
#include "jit/compile/assumed_remainders.hpp"
#include "jit/compile/border_iterations.hpp"
#include "jit/compile/counter_remainders.hpp"
#include "jit/compile/invariant_divisions.hpp"
#include "jit/compile/known_trip_counts.hpp"
#include "jit/compile/narrow_counters.hpp"
#include "jit/compile/partial_unrolling.hpp"
#include "jit/compile/private_array_loops.hpp"
#include "jit/compile/recurrences.hpp"
#include "jit/compile/scattered_stores.hpp"
#include "jit/compile/stage_loops.hpp"
#include "jit/compile/stages.hpp"
#include "jit/compile/stencil_rows.hpp"
#include "jit/spmd/interleaving_check.hpp"
#include "jit/spmd/vector/border_pieces.hpp"
#include "jit/spmd/vector/id_arithmetic_width.hpp"
#include "jit/spmd/vector/loops_along_rows.hpp"
#include "jit/spmd/vector/masked_access.hpp"
#include "jit/spmd/vector/narrow_comparisons.hpp"
#include "jit/spmd/vector/narrow_masked_accesses.hpp"
#include "jit/spmd/vector/neighbours_in_tables.hpp"
#include "jit/spmd/vector/prefetch.hpp"
#include "jit/spmd/vector/quotient_pieces.hpp"
#include "jit/spmd/vector/vectorise.hpp"
#include "jit/spmd/vector/wide_products.hpp"

namespace dpep::jit {
namespace {

/// LLVM's SLP vectoriser, for kernels that have no vectors yet: in others it finds next to nothing, and takes a third
/// of the time.
class vectors_of_statements : public llvm::PassInfoMixin<vectors_of_statements> {
public:
  explicit vectors_of_statements(const kernel_report &report) : report_(&report) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
    if (report_->vector_width > 1 || function.hasFnAttribute(spmd::scalar_work_items_attribute))
      return llvm::PreservedAnalyses::all();
    return llvm::SLPVectorizerPass().run(function, manager);
  }

private:
  const kernel_report *report_;
};

/// `in_lockstep`: the hardware runs work-items in lockstep, so there is no loop over work-items to vectorise.
llvm::FunctionPassManager function_passes(kernel_report &report, bool in_lockstep, std::uint32_t width) {
  using namespace llvm;
  FunctionPassManager passes;
  const auto tidy_branches = [&] {
    passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  };

  // The passes before vectorisation of a loop over work-items match patterns in combined instructions only. Without
  // such a loop, InstCombine at the beginning and at the end is enough: the PTX is the same, in a fifth less time.
  const auto combine_between = [&] {
    if (!in_lockstep) passes.addPass(InstCombinePass());
  };

  // Clean-up after inlining: promotes memory to registers and removes redundant computations.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  tidy_branches();
  if (!in_lockstep) passes.addPass(spmd::widen_id_arithmetic());  // InstCombine makes masks of extended differences
  passes.addPass(InstCombinePass());

  if (!in_lockstep) passes.addPass(spmd::widen_id_arithmetic());

  // Loops: hoists invariants, canonicalises induction variables for the vectoriser, fully unrolls short loops.
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  shape.addPass(SimpleLoopUnswitchPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  tidy_branches();
  combine_between();
  LoopPassManager counters;
  counters.addPass(LoopIdiomRecognizePass());
  counters.addPass(IndVarSimplifyPass());
  counters.addPass(LoopDeletionPass());
  if (in_lockstep) {
    counters.addPass(narrow_counters());
    counters.addPass(count_known_trips());
  }
  counters.addPass(mark_private_array_loops());
  if (in_lockstep) counters.addPass(mark_stage_loops());
  counters.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // arrays whose indices are constants after full unrolling
  // Without PRE, which would carry values that one work-item has loaded into the next iteration.
  passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // arrays whose indices only GVN has folded to constants
  if (!in_lockstep) passes.addPass(peel_border_iterations());
  passes.addPass(fold_counter_remainders());
  combine_between();
  passes.addPass(ADCEPass());
  // Also makes one store of two in the branches of a condition, which is not masked in vectors.
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true).sinkCommonInsts(true)));

  if (in_lockstep) {
    // In this order: alignment is not known behind casts of address spaces, and decides which loads become one.
    passes.addPass(InferAlignmentPass());
    passes.addPass(InferAddressSpacesPass());
    // Interleaves the few work-items of a thread in loops that the target marked; vectorises nothing.
    passes.addPass(spmd::interleaving_check());
    passes.addPass(
        LoopVectorizePass(LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true, /*VectorizeOnlyWhenForced=*/true)));
  } else {
    // dpep's vectoriser handles loops over work-items, LLVM's the remaining loops.
    passes.addPass(spmd::narrow_comparisons());
    passes.addPass(spmd::cut_at_quotients());
    passes.addPass(spmd::cut_at_borders());
    passes.addPass(spmd::version_neighbours_in_tables());
    passes.addPass(spmd::unroll_loops_along_rows());  // directly before the vectoriser, which reads its addresses
    passes.addPass(spmd::vectorise_items(report, width));
    passes.addPass(drop_agreements());
    passes.addPass(spmd::prefetch_ahead());
    passes.addPass(spmd::interleaving_check());
    passes.addPass(keep_scattered_stores());
    passes.addPass(join_stencil_rows());
    passes.addPass(LoopVectorizePass());
    passes.addPass(prefetch_stencil_rows());
  }
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // values of sub-group lanes, which are whole vectors now
  passes.addPass(ADCEPass());                        // masks that are used only by their own loop
  combine_between();
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .forwardSwitchCondToPhi(true)
                                     .convertSwitchRangeToICmp(true)
                                     .convertSwitchToLookupTable(true)
                                     .needCanonicalLoops(false)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(true)));
  if (!in_lockstep) {
    passes.addPass(vectors_of_statements(report));
    passes.addPass(VectorCombinePass());
  }
  if (in_lockstep) passes.addPass(mark_short_loops());
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2)));
  if (!in_lockstep) passes.addPass(spmd::narrow_masked_accesses());
  passes.addPass(InstCombinePass());
  if (!in_lockstep) passes.addPass(spmd::widen_factors());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(DivRemPairsPass());
  if (in_lockstep) passes.addPass(fold_assumed_remainders());
  passes.addPass(EarlyCSEPass());
  tidy_branches();
  if (!in_lockstep) {
    passes.addPass(spmd::lower_masked_accesses());
    passes.addPass(divide_by_invariants());
    passes.addPass(shorten_recurrences());
  }
  return passes;
}

/// The passes for a kernel that is one loop of arithmetic, written in canonical form, as the array engine's are: LLVM's
/// vectoriser, and what cleans up before and after it. All passes give the same code in twice the time.
/// `chunks`: if not empty, the loop is a nest whose innermost loop has a constant number of iterations. It is unrolled
/// after it was vectorised, so that partial results are in registers.
llvm::FunctionPassManager plain_loop_passes(llvm::StringRef chunks) {
  using namespace llvm;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  passes.addPass(LoopVectorizePass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  if (!chunks.empty()) {
    passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/3)));
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    if (chunks == "repeated rows")
      passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  }
  passes.addPass(divide_by_invariants());
  return passes;
}

constexpr const char *plain_loop_attribute = "dpep-plain-loop";

}  // namespace

void optimise_for_debugging(program &program, llvm::TargetMachine &machine, kernel_report &report) {
  analyses analyses(&machine);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(*program.module, analyses.modules);
  machine.setOptLevel(llvm::CodeGenOptLevel::None);
  report.vector_width = 1;
  report.remarks += report.remarks.empty() ? "" : "; ";
  report.remarks += "it was compiled for debuggers and not optimised";
}

void optimise(program &program, const target &target, llvm::TargetMachine &machine, kernel_report &report,
              std::uint32_t width) {
  analyses analyses(&machine);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  const bool is_plain = !target.runs_in_lockstep() && program.kernel->hasFnAttribute(plain_loop_attribute);
  const llvm::StringRef chunks = program.kernel->getFnAttribute(plain_loop_attribute).getValueAsString();
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      is_plain ? plain_loop_passes(chunks) : function_passes(report, target.runs_in_lockstep(), width)));
  passes.run(*program.module, analyses.modules);
  if (report.vector_width == 1) report.vector_width = vector_width(program);
}

}  // namespace dpep::jit
