// How long private variables live.
#include "jit/spmd/private_variables.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/CFG.h>
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

/// What happens to the variable in a block.
struct events {
  bool wanted_first = false;             // used before its lifetime begins or ends, if that happens here
  bool left_behind = false;              // used, and neither happens after that
  bool forgotten = false;                // either happens
  bool wanted = false, written = false;  // at the block's start: what may be in it is used later; it may be in it
};

}  // namespace

bool outlives_region(llvm::AllocaInst &variable, llvm::Function &function, const region_graph &regions) {
  if (regions.regions().size() == 1) return false;
  if (llvm::PointerMayBeCaptured(&variable, /*ReturnCaptures=*/true)) return true;
  // Any use may read and write it; only its lifetime tells where its contents are nobody's.
  llvm::DenseMap<llvm::BasicBlock *, events> blocks;
  const auto users = users_of(variable);
  for (llvm::BasicBlock &block : function) {
    events &here = blocks[&block];
    for (llvm::Instruction &instruction : block) {
      if (!users.contains(&instruction)) continue;
      auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (marker && marker->isLifetimeStartOrEnd()) {
        here.forgotten = true;
        here.left_behind = false;
      } else {
        here.wanted_first |= !here.forgotten;
        here.left_behind = true;
      }
    }
    here.wanted = here.wanted_first;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock &block : function) {
      events &here = blocks[&block];
      const bool leaves = here.left_behind || (here.written && !here.forgotten);
      for (llvm::BasicBlock *next : llvm::successors(&block)) {
        events &there = blocks[next];
        if (leaves && !there.written) changed = there.written = true;
        if (there.wanted && !here.wanted && !here.forgotten) changed = here.wanted = true;
      }
    }
  }
  return llvm::any_of(function, [&](llvm::BasicBlock &block) {
    return regions.is_head(&block) && blocks[&block].wanted && blocks[&block].written;
  });
}

}  // namespace dpep::jit::spmd
