// Vectorisation of each item loop of a function.
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

#include "jit/compile/own_vectors.hpp"
#include "jit/spmd/element_accesses.hpp"
#include "jit/spmd/vector/constant_offsets.hpp"
#include "jit/spmd/vector/guarded_offsets.hpp"
#include "jit/spmd/vector/lane_bits.hpp"
#include "jit/spmd/vector/local_atomics.hpp"
#include "jit/spmd/vector/masked_tail.hpp"
#include "jit/spmd/vector/noreturn_exits.hpp"
#include "jit/spmd/vector/trim_bounds.hpp"
#include "jit/spmd/vector/unroll_and_jam.hpp"
#include "jit/spmd/vector/vector_casts.hpp"
#include "jit/spmd/vector/vector_loop.hpp"
#include "jit/spmd/vector/width.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned scalars_per_iteration = 4;

bool has_vectors(const llvm::Instruction &instruction) {
  return instruction.getType()->isVectorTy() ||
         llvm::any_of(instruction.operands(), [](const llvm::Use &use) { return use->getType()->isVectorTy(); });
}

std::string why_not_vectorisable(const item_loop &items) {
  for (const llvm::Loop *loop : items.loop->getLoopsInPreorder())
    if (loop != items.loop && (!loop->isLoopSimplifyForm() || loop->hasNoExitBlocks()))
      return "an inner loop has no exit";
  for (const llvm::BasicBlock *block : items.loop->blocks()) {
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block->getTerminator()))
      return "it has a terminator other than a branch or a switch";
    for (const llvm::Instruction &instruction : *block) {
      if (has_vectors(instruction)) return "it computes with vectors";
      if (llvm::isa<llvm::AllocaInst>(instruction)) return "it allocates private memory whose size is not constant";
      if (!instruction.getType()->isVoidTy() && !wide_type(instruction.getType(), 2))
        return "it uses a type that cannot be an element of vectors";
    }
  }
  return {};
}

void scalarise(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  expand_vector_casts(function);
  llvm::ScalarizerPass(options).run(function, manager);
}

/// The vector width that the loop's metadata requests; 0: any.
unsigned requested_lanes(const llvm::Loop &loop) {
  const llvm::MDOperand *width = llvm::findStringMetadataForLoop(&loop, "llvm.loop.vectorize.width").value_or(nullptr);
  const auto *value = width ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(*width) : nullptr;
  return value ? static_cast<unsigned>(value->getZExtValue()) : 0;
}

}  // namespace

unsigned vectorise_items::vectorise(llvm::BasicBlock &header, llvm::FunctionAnalysisManager &manager,
                                    const request &wanted) {
  llvm::Function &function = *header.getParent();
  const auto leave_scalar = [&](const std::string &why) {
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
  sink_private_addresses(*loops.getLoopFor(&header));
  separate_constant_offsets(*loops.getLoopFor(&header));
  sign_extend_guarded_offsets(*loops.getLoopFor(&header), dominators);
  std::string why;
  const std::optional<item_loop> items = recognise_item_loop(*loops.getLoopFor(&header), dominators, loops, why);
  if (!items) return leave_scalar(why);
  if (why = why_not_vectorisable(*items); !why.empty()) return leave_scalar(why);
  llvm::AssumptionCache &assumptions = manager.getResult<llvm::AssumptionAnalysis>(function);
  llvm::TargetLibraryInfo &library = manager.getResult<llvm::TargetLibraryAnalysis>(function);
  llvm::ScalarEvolution evolution(function, library, assumptions, dominators, loops);
  llvm::BasicAAResult basic_aliases(function.getDataLayout(), function, library, assumptions, &dominators);
  llvm::AAResults aliases(library);
  aliases.addAAResult(basic_aliases);
  if (!wanted.lanes && !wanted.keeps_lane_bits && trim_bounds(*items, dominators, evolution, aliases))
    return vectorise(header, manager, wanted);
  narrow_live_outs(*items, evolution);
  const private_layout variables(*items->loop, loops, dominators);
  if (variables.escaping()) return leave_scalar("a private variable is also used outside of it");
  const auto &target = manager.getResult<llvm::TargetIRAnalysis>(function);
  const shapes shapes(*items, loops, variables, evolution, wanted.strides);
  const auto vector_bits = static_cast<unsigned>(
      target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  unsigned lanes = wanted.lanes ? wanted.lanes : width_;
  if (!lanes) lanes = requested_lanes(*items->loop);
  unsigned vectors = wanted.vectors;
  bool scalars = false;
  if (!lanes) {
    if (has_sums_of_rows(*items, shapes, evolution))
      return leave_scalar("its inner loops, sums of rows, are vectorised instead");
    const bool small_gathers = has_many_small_gathers(*items, loops, shapes);
    scalars = wanted.only_loop && variables.all().empty() && runs_in_lockstep(shapes) &&
              (has_gather_loop(*items, shapes) || small_gathers);
    if (!scalars && small_gathers) {
      llvm::addStringMetadataToLoop(items->loop, "llvm.loop.isvectorized", 1);
      return leave_scalar("it gathers many elements of less than 32 bits");
    }
    lanes = scalars ? scalars_per_iteration : natural_lanes(*items, loops, shapes, vector_bits);
    if (lanes < 2) return leave_scalar("it has little arithmetic, or more gathers than arithmetic");
    vectors = scalars                                          ? 1
              : loads_behind_stores(*items, shapes, evolution) ? vectors_of_sweep(*items, shapes)
                                                               : vectors_per_iteration(*items, shapes);
  }
  while (vectors > 1 && (lanes * vectors > 64 || (items->count && *items->count < std::uint64_t{lanes} * vectors)))
    vectors /= 2;
  const bool tail = !scalars && is_masked_tail_profitable(*items, shapes, evolution, target, lanes * vectors);
  if (items->count)
    lanes = static_cast<unsigned>(
        std::min<std::uint64_t>(lanes, tail ? std::bit_ceil(*items->count) : std::bit_floor(*items->count)));
  if (lanes < 2) return 1;
  if (!scalars && !wanted.keeps_lane_bits && llvm::isPowerOf2_32(lanes * vectors))
    if (lane_bits bits = find_lane_bits(*items, shapes, lanes * vectors);
        !bits.strides.empty() && (bits.conditions.empty() || variables.all().empty())) {
      llvm::BasicBlock *other = bits.conditions.empty() ? nullptr : &header;
      llvm::BasicBlock *kept = other ? copy_item_loop(*items, bits, lanes * vectors) : &header;
      const unsigned done = vectorise(*kept, manager, {wanted.only_loop, lanes, vectors, true, bits.strides});
      return other ? std::max(done, vectorise(*other, manager, {wanted.only_loop, lanes, vectors, true, bits.always}))
                   : done;
    }
  llvm::PostDominatorTree postdominators(function);
  disjoint_accesses disjoint(*items, evolution);
  if (!scalars) find_disjoint_accesses(disjoint, *items, loops, shapes);
  emit_vector_loop(*items, variables, shapes, lanes * vectors,
                   {.dominators = dominators,
                    .postdominators = postdominators,
                    .loops = loops,
                    .target = target,
                    .scalarised = scalars,
                    .disjoint = &disjoint,
                    .are_disjoint = disjoint.empty() ? nullptr : disjoint.emit_check()},
                   tail);
  assert(!llvm::verifyFunction(function, &llvm::errs()) && "the vectoriser emitted invalid IR");
  const bool has_remainder = !tail && (!items->count || *items->count % (lanes * vectors) != 0);
  if (vectors > 1 && has_remainder) vectorise(header, manager, {wanted.only_loop, lanes, 1, true});
  if (!scalars) return lanes;
  manager.invalidate(function, llvm::PreservedAnalyses::none());  // the scalariser requires current dominators
  scalarise(function, manager);
  function.addFnAttr(scalar_work_items_attribute);
  return leave_scalar("most of its work is gathers, so each iteration processes " + std::to_string(lanes) +
                      " work-items without vectors");
}

llvm::PreservedAnalyses vectorise_items::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<llvm::BasicBlock *> headers;
  bool vectors = false;
  for (llvm::Loop *loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!is_item_loop(*loop)) continue;
    // Item loops are never nested, but LLVM copies the mark to an outer loop when it merges branches.
    if (llvm::any_of(llvm::drop_begin(loop->getLoopsInPreorder()),
                     [](llvm::Loop *inner) { return is_item_loop(*inner); }))
      continue;
    headers.push_back(loop->getHeader());
    for (llvm::BasicBlock *block : loop->blocks()) vectors |= llvm::any_of(*block, has_vectors);
  }
  if (headers.empty()) return llvm::PreservedAnalyses::all();
  if (vectors && !keeps_own_vectors(function)) scalarise(function, manager);
  expand_fills(function);  // LLVM's loop idiom recognition makes fills of stores
  mark_local_atomics(function, *function.getArg(4));
  for (llvm::BasicBlock *header : headers) outline_noreturn_exits(*header);
  for (llvm::BasicBlock *header : headers)
    report_->vector_width =
        std::max(report_->vector_width, vectorise(*header, manager, {.only_loop = headers.size() == 1}));
  inline_noreturn_exits(function);
  lower_local_atomics(function);
  llvm::removeUnreachableBlocks(function);  // item loops without a remainder
  unroll_and_jam_rows(function, manager);
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
