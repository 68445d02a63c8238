// Regions in which only the first work-items do anything: the halves of a tree.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

struct group_context;
struct region;

/// How many of dimension 0 are enough to run the region for, at least one and at most `all`, if it is all behind
/// `id < bound` with a bound that is known when the region begins: a value made where `build` stands; else null.
llvm::Value *first_items(llvm::IRBuilder<> &build, const region &, const group_context &, std::size_t all,
                         llvm::function_ref<bool(const llvm::Instruction &)> effect,
                         llvm::function_ref<llvm::Value *(llvm::Value *)> argument);

}  // namespace dpep::jit::spmd
