// Promotion of a local array whose slot i is written by work-item i only: each work-item stores a value of its own, and
// after a barrier other work-items load it. The array then is a copy of the value's spill slot, so it is not created,
// and its loads read the spill slot instead. Loops that repeat this (sorting networks, option trees, scans) need one
// pass over all work-items less, and one store.
#pragma once

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "jit/spmd/work_item.hpp"

namespace llvm {
class AllocaInst;
class BasicBlock;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;

/// The use of the promoted array in one region.
struct region_promotion {
  bool reads_published = false;  // at the region's start, a work-item's own value, too, is in the published array
  bool publishes = false;        // the values stored in the region are published at its end
};

struct array_promotion {
  llvm::AllocaInst *variable = nullptr;   // the spill slot of the work-item's value
  llvm::AllocaInst *published = nullptr;  // a uniform, read-only spill slot: the address of the values others may read
  /// Whether two arrays alternate: that of published values, and that of new values, which no other work-item may read
  /// before the barrier. One array is enough if work-items read only slots of work-items that run after them, which
  /// have not stored their new values yet.
  bool double_buffered = false;
  llvm::DenseMap<llvm::BasicBlock *, region_promotion> regions;  // by head
};

/// Looks for a promotable array of a value in `variables`, which are spill slots with a value for each work-item, and
/// rewrites the function so that it does not use the kernel's array any more.
std::optional<array_promotion> promote_local_array(const work_item_function &, const region_graph &,
                                                   llvm::ArrayRef<llvm::AllocaInst *> variables);

}  // namespace dpep::jit::spmd
