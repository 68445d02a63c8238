// A value that all work-items show each other through local memory: each stores its own at its place, all meet, and
// others read it there. The array is a copy of the cell's slots then, so it is not made: who would read the array reads
// the slots. Loops that do so again and again (sorting networks, trees of options, scans) lose a pass over all
// work-items, and what the kernel stored twice is stored once.
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

/// What a region does with the cell, by its head.
struct shown_in_region {
  bool reads_shown = false;  // the work-item's own value, too, is where the others' are
  bool shows = false;        // behind it, what has been stored is what others read
};

struct shown_cell {
  llvm::AllocaInst *variable = nullptr;  // the work-item's value: the cell
  llvm::AllocaInst *place = nullptr;     // a uniform cell, only read: where the values lie that all may read
  /// Where the new values of some may be read by others before all have met, there are two arrays that take turns. Else
  /// work-items only read those behind them, who store later, and one array does.
  bool take_turns = false;
  llvm::DenseMap<llvm::BasicBlock *, shown_in_region> regions;
};

/// Looks for one among `variables`, which are cells for each work-item, and rewrites the function so that the kernel's
/// array is not used any more.
std::optional<shown_cell> find_shown(const work_item_function &, const region_graph &,
                                     llvm::ArrayRef<llvm::AllocaInst *> variables);

}  // namespace dpep::jit::spmd
