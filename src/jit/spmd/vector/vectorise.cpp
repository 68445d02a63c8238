// Vectorising each item loop of a function.
#include "jit/spmd/vector/vectorise.hpp"

#include <bit>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/spmd/part_accesses.hpp"
#include "jit/spmd/vector/endings.hpp"
#include "jit/spmd/vector/local_atomics.hpp"
#include "jit/spmd/vector/rows.hpp"
#include "jit/spmd/vector/tail.hpp"
#include "jit/spmd/vector/trim.hpp"
#include "jit/spmd/vector/vector_code.hpp"
#include "jit/spmd/vector/width.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned scalars_beside = 4;

bool has_vectors(const llvm::Instruction &instruction) {
  return instruction.getType()->isVectorTy() ||
         llvm::any_of(instruction.operands(), [](const llvm::Use &use) { return use->getType()->isVectorTy(); });
}

std::string beyond_vectors(const item_loop &items) {
  for (const llvm::Loop *loop : items.loop->getLoopsInPreorder())
    if (loop != items.loop && (!loop->isLoopSimplifyForm() || loop->hasNoExitBlocks())) return "a loop never ends";
  for (const llvm::BasicBlock *block : items.loop->blocks()) {
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block->getTerminator())) return "it jumps to computed places";
    for (const llvm::Instruction &instruction : *block) {
      if (has_vectors(instruction)) return "values are vectors";
      if (llvm::isa<llvm::AllocaInst>(instruction)) return "private memory has a size that is computed";
      if (!instruction.getType()->isVoidTy() && !wide_type(instruction.getType(), 2))
        return "values are of a type that has no vectors";
    }
  }
  return {};
}

/// Vectors into their elements.
void take_apart(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  llvm::ScalarizerPass(options).run(function, manager);
}

/// The width that the loop was made for, by its metadata; 0: any.
unsigned wanted_lanes(const llvm::Loop &loop) {
  const llvm::MDOperand *wanted = llvm::findStringMetadataForLoop(&loop, "llvm.loop.vectorize.width").value_or(nullptr);
  const auto *value = wanted ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(*wanted) : nullptr;
  return value ? static_cast<unsigned>(value->getZExtValue()) : 0;
}

}  // namespace

unsigned vectorise_items::vectorise(llvm::BasicBlock &header, llvm::FunctionAnalysisManager &manager, unsigned given,
                                    bool alone) {
  llvm::Function &function = *header.getParent();
  const auto stays = [&](const std::string &why) {
    std::string &remarks = report_->remarks;
    remarks += (remarks.empty() ? "" : "; ") + ("a loop over work-items was not vectorised: " + why);
    return 1U;
  };
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  if (width_ == 1) {
    llvm::addStringMetadataToLoop(loops.getLoopFor(&header), "llvm.loop.isvectorized", 1);
    return 1;
  }
  compute_private_addresses_inside(*loops.getLoopFor(&header));
  std::string why;
  const std::optional<item_loop> items = recognise(*loops.getLoopFor(&header), dominators, loops, why);
  if (!items) return stays(why);
  if (why = beyond_vectors(*items); !why.empty()) return stays(why);
  llvm::AssumptionCache &assumptions = manager.getResult<llvm::AssumptionAnalysis>(function);
  llvm::TargetLibraryInfo &library = manager.getResult<llvm::TargetLibraryAnalysis>(function);
  llvm::ScalarEvolution evolution(function, library, assumptions, dominators, loops);
  llvm::BasicAAResult places(function.getDataLayout(), function, library, assumptions, &dominators);
  llvm::AAResults aliases(library);
  aliases.addAAResult(places);
  if (!given && trim(*items, dominators, evolution, aliases)) return vectorise(header, manager, given, alone);
  narrow_left_values(*items, evolution);
  const private_layout variables(*items->loop, loops, dominators);
  if (variables.beyond()) return stays("a private variable is used elsewhere");
  const auto &target = manager.getResult<llvm::TargetIRAnalysis>(function);
  const shapes shapes(*items, loops, variables, evolution);
  const auto vector_bits = static_cast<unsigned>(
      target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  unsigned lanes = given ? given : width_;
  if (!lanes) lanes = wanted_lanes(*items->loop);
  unsigned beside = 1;
  bool scalars = false;
  if (!lanes) {
    scalars = alone && variables.all().empty() && fetches_in_step(*items, shapes);
    lanes = scalars ? scalars_beside : natural_lanes(*items, loops, shapes, vector_bits);
    if (lanes < 2) return stays("it computes little, or less than it fetches from places that are apart");
    beside = scalars ? 1 : vectors_beside(*items, shapes);
  }
  while (beside > 1 && (lanes * beside > 64 || (items->count && *items->count < std::uint64_t{lanes} * beside)))
    beside /= 2;
  const bool tail = !scalars && wants_tail(*items, shapes, evolution, target, lanes * beside);
  if (items->count)
    lanes = static_cast<unsigned>(
        std::min<std::uint64_t>(lanes, tail ? std::bit_ceil(*items->count) : std::bit_floor(*items->count)));
  if (lanes < 2) return 1;
  llvm::PostDominatorTree ends(function);
  vector_code(*items, variables, shapes, lanes * beside, {dominators, ends, loops, target, scalars}).make(tail);
  assert(!llvm::verifyFunction(function, &llvm::errs()) && "vectorising made invalid IR");
  const bool left_over = !tail && (!items->count || *items->count % (lanes * beside) != 0);
  if (beside > 1 && left_over) vectorise(header, manager, lanes, alone);
  if (!scalars) return lanes;
  manager.invalidate(function, llvm::PreservedAnalyses::none());  // it asks for dominators
  take_apart(function, manager);
  function.addFnAttr(scalars_beside_each_other);
  return stays("it mostly fetches from places that are apart, so " + std::to_string(lanes) +
               " work-items are done beside each other");
}

llvm::PreservedAnalyses vectorise_items::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<llvm::BasicBlock *> headers;
  bool vectors = false;
  for (llvm::Loop *loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!is_item_loop(*loop)) continue;
    // Loops over work-items are not within each other: LLVM gives an outer loop the mark, too, when it merges branches.
    if (llvm::any_of(llvm::drop_begin(loop->getLoopsInPreorder()),
                     [](llvm::Loop *inner) { return is_item_loop(*inner); }))
      continue;
    headers.push_back(loop->getHeader());
    for (llvm::BasicBlock *block : loop->blocks()) vectors |= llvm::any_of(*block, has_vectors);
  }
  if (headers.empty()) return llvm::PreservedAnalyses::all();
  if (vectors) take_apart(function, manager);
  expand_fills(function);  // LLVM likes to make fills of stores
  mark_local_atomics(function, *function.getArg(4));
  for (llvm::BasicBlock *header : headers) fold_endings(*header);
  for (llvm::BasicBlock *header : headers)
    report_->vector_width = std::max(report_->vector_width, vectorise(*header, manager, 0, headers.size() == 1));
  unfold_endings(function);
  lower_local_atomics(function);
  llvm::removeUnreachableBlocks(function);  // item loops of which nothing is left over
  interleave_rows(function, manager);
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
