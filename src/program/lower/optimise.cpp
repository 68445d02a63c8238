// The pass pipeline that runs once on a new program, before the JIT's stages.
#include "program/lower/optimise.hpp"

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/compile/analyses.hpp"
#include "jit/compile/own_vectors.hpp"

namespace dpep::program_lower {
namespace {

/// The scalariser, for functions that do not keep their vectors.
class vectors_to_elements : public llvm::PassInfoMixin<vectors_to_elements> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
    if (jit::keeps_own_vectors(function)) return llvm::PreservedAnalyses::all();
    return llvm::ScalarizerPass(llvm::ScalarizerPassOptions{.ScalarizeLoadStore = true}).run(function, manager);
  }
};

llvm::FunctionPassManager function_passes() {
  using namespace llvm;
  FunctionPassManager passes;
  const auto to_registers = [&] {  // SROA makes vectors of small arrays, too
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(vectors_to_elements());
  };
  to_registers();
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  passes.addPass(JumpThreadingPass());  // clang's flags for the ends of scopes: a break leaves the loop directly
  passes.addPass(SimplifyCFGPass());
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  LoopPassManager counters;
  counters.addPass(IndVarSimplifyPass());
  counters.addPass(LoopDeletionPass());
  counters.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
  to_registers();
  passes.addPass(GVNPass());
  passes.addPass(InstCombinePass());
  passes.addPass(DSEPass());
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

}  // namespace

void optimise(llvm::Module &module) {
  jit::analyses analyses(nullptr);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(function_passes()));
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

}  // namespace dpep::program_lower
