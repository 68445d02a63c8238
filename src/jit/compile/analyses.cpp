// Registers the LLVM analyses that the JIT's passes use.
#include "jit/compile/analyses.hpp"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/InlineAdvisor.h>
#include <llvm/Analysis/LastRunTrackingAnalysis.h>
#include <llvm/Analysis/LazyValueInfo.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryDependenceAnalysis.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PhiValues.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TypeBasedAliasAnalysis.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "jit/compile/compile_thread.hpp"

namespace dpep::jit {

analyses::analyses(llvm::TargetMachine *machine) {
  using namespace llvm;
  functions.registerPass([] { return AssumptionAnalysis(); });
  functions.registerPass([] { return BlockFrequencyAnalysis(); });
  functions.registerPass([] { return BranchProbabilityAnalysis(); });
  functions.registerPass([] { return CycleAnalysis(); });
  functions.registerPass([] { return DemandedBitsAnalysis(); });
  functions.registerPass([] { return DominatorTreeAnalysis(); });
  functions.registerPass([] { return LastRunTrackingAnalysis(); });
  functions.registerPass([] { return LazyValueAnalysis(); });
  functions.registerPass([] { return LoopAccessAnalysis(); });
  functions.registerPass([] { return LoopAnalysis(); });
  functions.registerPass([] { return MemoryDependenceAnalysis(); });
  functions.registerPass([] { return MemorySSAAnalysis(); });
  functions.registerPass([] { return OptimizationRemarkEmitterAnalysis(); });
  functions.registerPass([] { return PhiValuesAnalysis(); });
  functions.registerPass([] { return PostDominatorTreeAnalysis(); });
  functions.registerPass([] { return ScalarEvolutionAnalysis(); });
  functions.registerPass([] { return ShouldRunExtraVectorPasses(); });
  functions.registerPass([] { return TargetLibraryAnalysis(); });
  functions.registerPass([&] { return machine ? machine->getTargetIRAnalysis() : TargetIRAnalysis(); });
  functions.registerPass([] { return BasicAA(); });
  functions.registerPass([] { return ScopedNoAliasAA(); });
  functions.registerPass([] { return TypeBasedAA(); });
  functions.registerPass([] {
    AAManager aliases;
    aliases.registerFunctionAnalysis<BasicAA>();
    aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
    aliases.registerFunctionAnalysis<TypeBasedAA>();
    return aliases;
  });
  modules.registerPass([] { return ProfileSummaryAnalysis(); });
  modules.registerPass([] { return InlineAdvisorAnalysis(); });

  loops.registerPass([] { return ShouldRunExtraSimpleLoopUnswitch(); });
  before_passes.registerBeforeNonSkippedPassCallback([](llvm::StringRef, llvm::Any) { check_cancelled(); });
  loops.registerPass([this] { return PassInstrumentationAnalysis(&before_passes); });
  functions.registerPass([this] { return PassInstrumentationAnalysis(&before_passes); });
  modules.registerPass([this] { return PassInstrumentationAnalysis(&before_passes); });
  loops.registerPass([this] { return FunctionAnalysisManagerLoopProxy(functions); });
  functions.registerPass([this] { return LoopAnalysisManagerFunctionProxy(loops); });
  functions.registerPass([this] { return ModuleAnalysisManagerFunctionProxy(modules); });
  modules.registerPass([this] { return FunctionAnalysisManagerModuleProxy(functions); });
}

}  // namespace dpep::jit
