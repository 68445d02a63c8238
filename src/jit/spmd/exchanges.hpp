// Exchanges between the lanes of a sub-group: what a shuffle is, once barriers have cut the kernel. All lanes have left
// what they give in a cell; the exchange, done once for the sub-group, moves it as a vector to the cell from which each
// takes its result.
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

struct exchange {
  llvm::BasicBlock *block;            // has nothing else in it, and is a region of its own
  llvm::AllocaInst *given, *taken;    // cells; `taken` is uniform if all take the same lane's
  llvm::SmallVector<int> source;      // for each lane, the one that it takes from: where that is known
  llvm::AllocaInst *asked = nullptr;  // the cell of each lane's wish, where not
  bool uniform = false;               // all take the same lane's: `taken` and `asked` are uniform cells

  /// Of the sub-group's function; `build` stands in the block's place.
  void make(llvm::IRBuilder<> &build, const group_memory &) const;
};

/// Turns calls into cells. Exchanges of what is the same for all lanes vanish.
std::vector<exchange> find_exchanges(work_item_function &, uniformity &);

}  // namespace dpep::jit::spmd
