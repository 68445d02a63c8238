// The steps from a kernel to a work_function.
#include "jit/spmd/work_group.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/compile/analyses.hpp"
#include "jit/launch/checks.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/loop_check.hpp"
#include "jit/spmd/part_accesses.hpp"
#include "jit/spmd/same_values.hpp"
#include "jit/spmd/waiting_loops.hpp"

namespace dpep::jit::spmd {
namespace {

/// What is to be inlined anyway is inlined now: a variable whose address goes into a call can't be a register, and
/// looks as if its address went anywhere.
void inline_marked(llvm::Module &module) {
  analyses analyses;
  llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true).run(module, analyses.modules);
}

/// Leaves one function visible, and nothing in the module that it doesn't need.
void keep_only(llvm::Module &module, llvm::Function &entry) {
  for (llvm::GlobalValue &global : module.global_values()) {
    if (global.isDeclaration() || &global == &entry || global.getName().starts_with("llvm.")) continue;
    global.setLinkage(llvm::GlobalValue::InternalLinkage);
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&global)) object->setComdat(nullptr);
  }
  analyses analyses;
  llvm::GlobalDCEPass().run(module, analyses.modules);
}

}  // namespace

// All that follows thinks in values.
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
  inline_marked(module);
  if (loop_checks_wanted()) watch_loops(module, kernel);
  work_item_function item = make_work_item_function(kernel, special);
  if (!special.debugged) {
    simplify(*item.function);
    compute_where_used(*item.function);
    expand_fills(*item.function);
  }
  mark_arguments_invariant(*item.arguments);
  std::string remarks;
  const std::string waits_at = find_waiting_loop(module, special.debugged);
  const bool waits = !waits_at.empty();
  if (item.counts == counted::lanes && !waits) item = make_sub_group(item, remarks);
  llvm::Function *entry = waits             ? make_waiting(item, special, remarks, waits_at)
                          : special.grouped ? make_grouped(item, special, remarks)
                                            : make_flat(item, special);
  if (llvm::AttributeSet of_item = item.function->getAttributes().getParamAttrs(0); of_item.hasAttributes())
    entry->addParamAttrs(0, llvm::AttrBuilder(module.getContext(), of_item));
  item.function->eraseFromParent();
  keep_only(module, *entry);
  assert(!llvm::verifyModule(module, &llvm::errs()) && "work-group formation made invalid IR");

  work_group_function result;
  result.entry = entry;
  result.needs = {
      .grouped = special.grouped, .static_local_bytes = item.static_local_bytes, .scratch_bytes = item.scratch_bytes};
  if (waits) {
    result.needs.waiting_items = item.group_size();
    result.needs.sub_group_size = item.sub_groups.size;
  }
  result.report.name = name;
  result.report.static_local_bytes = item.static_local_bytes;
  result.report.uses_barriers = item.has_barriers;
  result.report.remarks = std::move(remarks);
  return result;
}

}  // namespace dpep::jit::spmd
