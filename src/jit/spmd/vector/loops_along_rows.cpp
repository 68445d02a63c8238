// Chooses and unrolls inner loops over consecutive elements.
#include "jit/spmd/vector/loops_along_rows.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned unrolled_iterations = 4, max_instructions = 48;  // of one iteration
constexpr std::uint64_t min_element = 4, max_element = 8;           // bytes

/// The loop over work-items around an inner loop. Null: there is none.
const llvm::Loop *items_around(const llvm::Loop &inner) {
  const llvm::Loop *around = inner.getParentLoop();
  while (around && !is_item_loop(*around)) around = around->getParentLoop();
  return around;
}

/// Whether the access's address advances by one element in each iteration, and differs between neighbouring work-items
/// by more than one element.
bool advances_along_row(llvm::Instruction &access, const llvm::Loop &loop, const llvm::Loop &items,
                        llvm::ScalarEvolution &evolution) {
  llvm::Type *type = llvm::getLoadStoreType(&access);
  const std::uint64_t size = access.getDataLayout().getTypeStoreSize(type).getFixedValue();
  if (type->isVectorTy() || size < min_element || size > max_element) return false;
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  const auto *address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(pointer));
  if (!address || address->getLoop() != &loop || !address->isAffine()) return false;
  const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution));
  if (!step || step->getAPInt() != size) return false;
  const llvm::SCEV *start = address->getStart();
  if (evolution.isLoopInvariant(start, &items)) return false;
  const auto *advancing = llvm::dyn_cast<llvm::SCEVAddRecExpr>(start);
  while (advancing && advancing->getLoop() != &items)  // a recurrence of another loop in it
    advancing = llvm::dyn_cast<llvm::SCEVAddRecExpr>(advancing->getStart());
  const auto *distance =
      advancing ? llvm::dyn_cast<llvm::SCEVConstant>(advancing->getStepRecurrence(evolution)) : nullptr;
  return !distance || distance->getAPInt().abs().ugt(size);
}

/// Whether all work-items run equally many iterations, and in each of them access their own rows.
bool is_loop_along_rows(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const llvm::Loop *const items = items_around(loop);
  if (!items || !loop.isInnermost() || loop.getNumBlocks() != 1 || !loop.getLoopPreheader()) return false;
  if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified) return false;
  const llvm::SCEV *const iterations = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(iterations) || !evolution.isLoopInvariant(iterations, items)) return false;
  llvm::BasicBlock &body = *loop.getHeader();
  if (body.sizeWithoutDebug() > max_instructions) return false;
  // LLVM's vectoriser executes several iterations of sums of integers at once.
  for (llvm::PHINode &phi : body.phis())
    if (phi.getType()->isIntegerTy() && !llvm::isa<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi))) return false;
  bool has_rows = false;
  for (llvm::Instruction &each : body) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&each); call && !llvm::isa<llvm::IntrinsicInst>(call))
      return false;
    if (!llvm::getLoadStorePointerOperand(&each) || !advances_along_row(each, loop, *items, evolution)) continue;
    if (each.isVolatile() || each.isAtomic()) return false;
    has_rows = true;
  }
  return has_rows;
}

}  // namespace

llvm::PreservedAnalyses unroll_loops_along_rows::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<llvm::LoopAnalysis>(function);
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SmallVector<llvm::Loop *> chosen;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (is_loop_along_rows(*loop, evolution)) chosen.push_back(loop);
  if (chosen.empty()) return llvm::PreservedAnalyses::all();
  auto &dominators = manager.getResult<llvm::DominatorTreeAnalysis>(function);
  auto &assumptions = manager.getResult<llvm::AssumptionAnalysis>(function);
  auto &remarks = manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const auto &target = manager.getResult<llvm::TargetIRAnalysis>(function);
  llvm::UnrollLoopOptions options{};
  options.Count = unrolled_iterations;
  options.Force = true;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  options.SCEVExpansionBudget = 16;
  for (llvm::Loop *loop : chosen) {
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
    llvm::formLCSSARecursively(*loop->getOutermostLoop(), dominators, &loops, &evolution);
    llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                     /*PreserveLCSSA=*/true);
  }
  manager.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::InstCombinePass().run(function, manager);  // addresses become a common base plus a constant
  manager.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::EarlyCSEPass().run(function, manager);  // equal bases become one value
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
