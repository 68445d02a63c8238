// How long private variables live.
#include "jit/spmd/private_variables.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/regions.hpp"

namespace dpep::jit::spmd {
namespace {

/// All instructions that have the variable's address or one derived from it as an operand.
llvm::SetVector<llvm::Instruction *> users_of(llvm::AllocaInst &variable) {
  llvm::SetVector<llvm::Instruction *> users;
  llvm::SmallVector<llvm::Instruction *> todo{&variable};
  while (!todo.empty())
    for (llvm::User *user : todo.pop_back_val()->users()) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (users.insert(instruction) && instruction->getType()->isPointerTy()) todo.push_back(instruction);
    }
  return users;
}

}  // namespace

bool outlives_region(llvm::AllocaInst &variable, const region_graph &regions, const llvm::DominatorTree &dominators) {
  if (regions.regions().size() == 1 && !regions.regions().front().repeats) return false;
  if (llvm::PointerMayBeCaptured(&variable, /*ReturnCaptures=*/true)) return true;
  const region *home = nullptr;
  const auto users = users_of(variable);
  for (llvm::Instruction *user : users)
    for (const region &where : regions.regions())
      if (where.blocks.contains(user->getParent())) {
        if (home && home != &where) return true;
        home = &where;
      }
  if (!home || !home->repeats) return false;
  // Within a loop around the barriers, it must be a new variable each time: one whose lifetime begins in the region.
  return llvm::none_of(users, [&](llvm::Instruction *start) {
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(start);
    if (!intrinsic || intrinsic->getIntrinsicID() != llvm::Intrinsic::lifetime_start) return false;
    if (dominators.properlyDominates(start->getParent(), home->head)) return false;
    return llvm::all_of(users,
                        [&](llvm::Instruction *user) { return user == start || dominators.dominates(start, user); });
  });
}

}  // namespace dpep::jit::spmd
