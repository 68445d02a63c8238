// Liveness of private variables in memory, by their uses and lifetime markers.
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

/// Returns all instructions with an operand that is the variable's address or derived from it.
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

/// Data-flow facts of the variable in one block. A marker is the start or end of its lifetime.
struct block_facts {
  bool used_before_marker = false;  // or used, without a marker
  bool used_after_marker = false;   // or used, without a marker
  bool has_marker = false;
  bool live = false, written = false;  // at the block's start: may be used later; may have been written
};

}  // namespace

bool outlives_region(llvm::AllocaInst &variable, llvm::Function &function, const region_graph &regions) {
  if (regions.regions().size() == 1) return false;
  if (llvm::PointerMayBeCaptured(&variable, /*ReturnCaptures=*/true)) return true;
  // Any use may read and write the variable. Only lifetime markers make its contents dead.
  llvm::DenseMap<llvm::BasicBlock *, block_facts> blocks;
  const auto users = users_of(variable);
  for (llvm::BasicBlock &block : function) {
    block_facts &here = blocks[&block];
    for (llvm::Instruction &instruction : block) {
      if (!users.contains(&instruction)) continue;
      auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (marker && marker->isLifetimeStartOrEnd()) {
        here.has_marker = true;
        here.used_after_marker = false;
      } else {
        here.used_before_marker |= !here.has_marker;
        here.used_after_marker = true;
      }
    }
    here.live = here.used_before_marker;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock &block : function) {
      block_facts &here = blocks[&block];
      const bool written_at_end = here.used_after_marker || (here.written && !here.has_marker);
      for (llvm::BasicBlock *next : llvm::successors(&block)) {
        block_facts &there = blocks[next];
        if (written_at_end && !there.written) changed = there.written = true;
        if (there.live && !here.live && !here.has_marker) changed = here.live = true;
      }
    }
  }
  return llvm::any_of(function, [&](llvm::BasicBlock &block) {
    return regions.is_head(&block) && blocks[&block].live && blocks[&block].written;
  });
}

}  // namespace dpep::jit::spmd
