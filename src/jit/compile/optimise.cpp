// The optimiser's pass list, chosen for what it takes and what it gives: measured in benchmarks/core/launch_bench.cpp.
//
// Kernels come optimised once by clang or by our own compilers, but without loop transformations; then functions were
// linked in and a loop over work-items was put around. So what is left to do: inline, clean up once, get the loops into
// shape, vectorise, clean up after that. LLVM's O2 list does most of this two or three times and takes twice as long
// for the same code.
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

#include "jit/compile/analyses.hpp"
#include "jit/spmd/interleaving_check.hpp"
#include "jit/spmd/vector/masked_access.hpp"
#include "jit/spmd/vector/narrow.hpp"
#include "jit/spmd/vector/prefetch.hpp"
#include "jit/spmd/vector/vectorise.hpp"
#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

/// LLVM's vectoriser of straight code, where the kernel has no vectors so far: in one that has, it finds next to
/// nothing and takes a third of the time.
class vectors_of_statements : public llvm::PassInfoMixin<vectors_of_statements> {
public:
  explicit vectors_of_statements(const kernel_report &report) : report_(&report) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
    if (report_->vector_width > 1 || function.hasFnAttribute(spmd::scalars_beside_each_other))
      return llvm::PreservedAnalyses::all();
    return llvm::SLPVectorizerPass().run(function, manager);
  }

private:
  const kernel_report *report_;
};

/// `in_lockstep`: the hardware runs work-items side by side, so no loop over them is there to be vectorised.
llvm::FunctionPassManager function_passes(kernel_report &report, bool in_lockstep, std::uint32_t width) {
  using namespace llvm;
  FunctionPassManager passes;
  const auto tidy_branches = [&] {
    passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  };

  // Before a loop over work-items becomes vectors, each step finds its patterns in combined instructions only. Without
  // one, the first run and the last find all that five do: the same PTX comes out, a fifth sooner.
  const auto combine_between = [&] {
    if (!in_lockstep) passes.addPass(InstCombinePass());
  };

  // What inlining left: memory that is really registers, computations done twice.
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  tidy_branches();
  passes.addPass(InstCombinePass());

  // Loops: invariants out, counters in the form that the vectoriser reads, short loops of known length unrolled.
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
  counters.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // arrays that full unrolling made of constant index
  // Without partial redundancies: what one work-item has loaded is not for the next one to use.
  passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  combine_between();
  passes.addPass(ADCEPass());
  tidy_branches();

  if (in_lockstep) {
    passes.addPass(InferAddressSpacesPass());
    // Interleaves the few work-items of a thread where the target marked them. Nothing else: no vectors are there.
    passes.addPass(spmd::interleaving_check());
    passes.addPass(
        LoopVectorizePass(LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true, /*VectorizeOnlyWhenForced=*/true)));
  } else {
    // Loops over work-items by ourselves; what that leaves, LLVM's vectoriser may take.
    passes.addPass(spmd::narrow_comparisons());
    passes.addPass(spmd::vectorise_items(report, width));
    passes.addPass(spmd::prefetch_ahead());
    passes.addPass(spmd::interleaving_check());
    passes.addPass(LoopVectorizePass());
  }
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));  // what lanes of a sub-group keep: whole vectors now
  passes.addPass(ADCEPass());                        // masks that only go round
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
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2)));
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(DivRemPairsPass());
  passes.addPass(EarlyCSEPass());
  tidy_branches();
  if (!in_lockstep) passes.addPass(spmd::lower_masked_accesses());
  return passes;
}

}  // namespace

void leave_as_written(program &program, llvm::TargetMachine &machine, kernel_report &report) {
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

void optimise(program &program, llvm::TargetMachine &machine, kernel_report &report, std::uint32_t width) {
  analyses analyses(&machine);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(
      llvm::createModuleToFunctionPassAdaptor(function_passes(report, machine.getTargetTriple().isNVPTX(), width)));
  passes.run(*program.module, analyses.modules);
  if (report.vector_width == 1) report.vector_width = vector_width(program);
}

}  // namespace dpep::jit
