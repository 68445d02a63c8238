// Regions in which only the work-items with the lowest ids have side effects, as in the levels of a tree reduction.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

struct group_context;
struct region;

/// Emits, at the insertion point, the number of ids of dimension 0 for which the region must run: at least 1, at most
/// `all`. Returns null unless all side effects are guarded by `id < bound` with a bound known at the region's start.
/// `effect`: whether an instruction has side effects; `argument`: maps the item's arguments to the caller's values.
llvm::Value *active_prefix_length(llvm::IRBuilder<> &build, const region &, const group_context &, std::size_t all,
                                  llvm::function_ref<bool(const llvm::Instruction &)> effect,
                                  llvm::function_ref<llvm::Value *(llvm::Value *)> argument);

}  // namespace dpep::jit::spmd
