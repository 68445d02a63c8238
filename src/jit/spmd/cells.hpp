// Values that outlive a region, turned into variables of the work-item: after this, regions have nothing in common but
// variables, and can be copied and run apart.
#pragma once

#include <vector>

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;
class uniformity;

/// A variable that is only ever loaded and stored.
struct cell {
  llvm::AllocaInst *variable;
  bool uniform;  // one for the whole work-group will do
};

class value_cells {
public:
  /// Rewrites the function. Values that are cheap to compute again are, instead of being kept.
  value_cells(llvm::Function &, const region_graph &, const uniformity &);

  const std::vector<cell> &all() const { return cells_; }
  /// Of all cells, those whose value is wanted at the block's start.
  const llvm::BitVector &live_at(llvm::BasicBlock *block) const { return live_.find(block)->second; }
  /// Of all cells, those that the block writes.
  const llvm::BitVector &written_in(llvm::BasicBlock *block) const { return written_.find(block)->second; }
  /// The cell of what a group branch looks at; -1 when that isn't computed in a region.
  int condition_of(llvm::BasicBlock *group_branch) const;

private:
  unsigned make_cell(llvm::Instruction &value);
  void keep(llvm::Instruction &value);
  void keep_condition(llvm::BasicBlock &group_branch);
  void find_live(llvm::Function &);

  const region_graph &regions_;
  const uniformity &uniform_;
  std::vector<cell> cells_;
  llvm::DenseMap<llvm::BasicBlock *, int> condition_of_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BitVector> live_, written_;
};

}  // namespace dpep::jit::spmd
