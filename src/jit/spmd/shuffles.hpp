// Sub-group shuffles once barriers have split the kernel: every lane has stored its input in a spill slot, and one
// vector operation for the whole sub-group permutes the inputs into the slot from which each lane loads its result.
#pragma once

#include <vector>

#include <llvm/ADT/SmallVector.h>

#include "jit/spmd/work_item.hpp"

namespace llvm {
class AllocaInst;
class BasicBlock;
}  // namespace llvm

namespace dpep::jit::spmd {

class uniformity;
struct group_memory;

struct shuffle {
  llvm::BasicBlock *block;                  // contains nothing else, and is a region of its own
  llvm::AllocaInst *input, *result;         // spill slots
  llvm::SmallVector<int> constant_sources;  // by lane, the lane to read from, if known at compile time
  llvm::AllocaInst *source = nullptr;       // the spill slot of the lane to read from, otherwise
  bool uniform = false;                     // a broadcast: `result` and `source` are uniform slots

  /// Emits the sub-group's code at the insertion point, in place of the block.
  void emit(llvm::IRBuilder<> &build, const group_memory &) const;
};

/// Replaces the calls by loads and stores of spill slots. Removes shuffles of uniform values.
std::vector<shuffle> lower_shuffles(work_item_function &, uniformity &);

}  // namespace dpep::jit::spmd
