// A second version of an item loop.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {

/// A copy of an item loop, which has the loop's metadata of its own.
struct item_loop_copy {
  llvm::ValueToValueMapTy values;  // from the original to the copy
  llvm::SmallVector<llvm::BasicBlock *> blocks;
  llvm::BasicBlock *header, *latch;
  llvm::PHINode *index;

  /// Copies the blocks to before `position`. In the copy, `preheader` and `exit` take the places of the original's.
  item_loop_copy(const item_loop &, llvm::BasicBlock &preheader, llvm::BasicBlock &exit, llvm::BasicBlock &position,
                 const char *suffix);
};

/// Makes an item loop with this latch and index stop before `end`.
void set_end(llvm::BasicBlock &latch, llvm::PHINode &index, llvm::Value &end);

}  // namespace dpep::jit::spmd
