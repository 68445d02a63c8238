// The steps from a kernel to a work_function.
#include "jit/spmd/work_group.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/compile/analyses.hpp"
#include "jit/compile/argument_words.hpp"
#include "jit/compile/stage_loops.hpp"
#include "jit/launch/checks.hpp"
#include "jit/spmd/divergent_exchanges.hpp"
#include "jit/spmd/element_accesses.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/flatten_exchanges.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/local_id_ranges.hpp"
#include "jit/spmd/loop_check.hpp"
#include "jit/spmd/phi_folding.hpp"
#include "jit/spmd/spin_wait_loops.hpp"

namespace dpep::jit::spmd {
namespace {

/// Inlines functions marked always_inline early. A variable whose address is passed to a call cannot be promoted to a
/// register, and its address seems to escape.
void inline_always_inline(llvm::Module &module) {
  analyses analyses;
  llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true).run(module, analyses.modules);
}

/// Leaves `entry` as the only visible function, and removes all that it does not use.
void internalise_all_but(llvm::Module &module, llvm::Function &entry) {
  for (llvm::GlobalValue &global : module.global_values()) {
    if (global.isDeclaration() || &global == &entry || global.getName().starts_with("llvm.")) continue;
    global.setLinkage(llvm::GlobalValue::InternalLinkage);
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&global)) object->setComdat(nullptr);
  }
  analyses analyses;
  llvm::GlobalDCEPass().run(module, analyses.modules);
}

/// Unrolls innermost loops of few iterations with barriers. Each part of a work-item between two barriers becomes a
/// loop over work-items, in which distances and masks of that iteration are constants. Returns whether it unrolled a
/// loop.
bool unroll_stage_loops(llvm::Function &function) {
  analyses analyses;
  auto &loops = analyses.functions.getResult<llvm::LoopAnalysis>(function);
  auto &evolution = analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto is_unrolled = [&](const llvm::Loop *loop) {
    return loop->isInnermost() && is_stage_loop(*loop, evolution, loops);
  };
  if (llvm::none_of(loops.getLoopsInPreorder(), is_unrolled)) return false;
  llvm::LoopPassManager passes;
  passes.addPass(mark_stage_loops(/*only_innermost=*/true));
  passes.addPass(llvm::LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true));
  llvm::createFunctionToLoopPassAdaptor(std::move(passes)).run(function, analyses.functions);
  return true;
}

}  // namespace

// The later steps analyse SSA values.
void simplify(llvm::Function &function) {
  analyses analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.run(function, analyses.functions);
}

work_group_function form_work_group(llvm::Module &module, llvm::Function &kernel, const specialisation &special) {
  const std::string name = kernel.getName().str();
  attach_masks(module);
  inline_always_inline(module);
  if (loop_checks_enabled()) insert_loop_checks(module, kernel);
  work_item_function item = make_work_item_function(kernel, special);
  if (!special.debugged) {
    simplify(*item.function);
    mark_arguments_invariant(*item.arguments);
    if (are_read_only(*item.arguments)) use_constant_arguments(*item.arguments, special.words);
    if (item.has_barriers && unroll_stage_loops(*item.function)) simplify(*item.function);
    if (special.grouped && !item.checked) fold_local_id_ranges(item);
    fold_phis_of_equal_values(*item.function);
    expand_fills(*item.function);
  } else {
    mark_arguments_invariant(*item.arguments);
  }
  std::string remarks;
  std::string wait_location = find_spin_wait(module, special.debugged);
  if (wait_location.empty() && item.unit == local_id_unit::lanes && item.sub_groups.size > 1 && !item.checked &&
      !special.debugged)
    flatten_exchanges(item);
  const char *reason = "work-items wait for each other";
  if (wait_location.empty() && has_divergent_exchange(item)) {
    wait_location = "a shuffle or a barrier";
    reason = "work-items of a sub-group exchange values without the others";
  }
  const bool waits = !wait_location.empty();
  if (item.unit == local_id_unit::lanes && !waits) item = make_sub_group(item, remarks);
  llvm::Function *entry = waits             ? make_fiber(item, special, remarks, reason, wait_location)
                          : special.grouped ? make_grouped(item, special, remarks)
                                            : make_flat(item, special);
  if (llvm::AttributeSet of_item = item.function->getAttributes().getParamAttrs(0); of_item.hasAttributes())
    entry->addParamAttrs(0, llvm::AttrBuilder(module.getContext(), of_item));
  item.function->eraseFromParent();
  internalise_all_but(module, *entry);
  assert(!llvm::verifyModule(module, &llvm::errs()) && "work-group formation made invalid IR");

  work_group_function result;
  result.entry = entry;
  result.needs = {
      .grouped = special.grouped, .static_local_bytes = item.static_local_bytes, .scratch_bytes = item.scratch_bytes};
  if (waits) {
    result.needs.concurrent_items = item.group_size();
    result.needs.sub_group_size = item.sub_groups.size;
  }
  result.report.name = name;
  result.report.static_local_bytes = item.static_local_bytes;
  result.report.uses_barriers = item.has_barriers;
  result.report.remarks = std::move(remarks);
  return result;
}

}  // namespace dpep::jit::spmd
