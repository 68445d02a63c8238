// Interleave groups: a work-item's accesses to neighbouring addresses, done together. Examples are fields of structures
// and rows of short vectors.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/disjoint_accesses.hpp"
#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// Loads or stores in one basic block, of elements of one type, done together by all lanes. Lane n's elements lie
/// `factor` elements behind lane n - 1's. In a group of rows, the lanes' elements are at unrelated addresses, and
/// `factor` is the length of the vector that is loaded for one lane. All loads can be done at the first one, all stores
/// at the last one.
struct interleave_group {
  struct member {
    llvm::Instruction *access;
    std::uint64_t index;  // in elements from the group's lowest address
  };
  llvm::SmallVector<member> members;  // in program order
  std::uint64_t factor = 0;
  bool rows = false;

  std::uint64_t length() const;  // number of elements that one work-item's accesses span, gaps included
};

class interleave_groups {
public:
  /// `disjoint`: arrays that are assumed not to overlap; null: none. `lanes_of_rows`: the number of lanes, if all are
  /// active in the block and groups of rows are possible; 0: none.
  interleave_groups(const llvm::BasicBlock &, const shapes &, disjoint_accesses *disjoint = nullptr,
                    unsigned lanes_of_rows = 0);
  /// The number of accesses in groups.
  std::size_t size() const { return group_of_.size(); }
  /// The access's group. Null: the access is emitted alone.
  const interleave_group *find(const llvm::Instruction *access) const;

private:
  using location = access_location;
  static location location_of(const llvm::Instruction &, const shapes &);
  bool may_join(const interleave_group &, llvm::Instruction &, const shapes &) const;
  bool may_reorder(const llvm::Instruction &moved, const llvm::Instruction &other, const shapes &) const;

  disjoint_accesses *disjoint_;
  std::vector<interleave_group> groups_;
  llvm::DenseMap<const llvm::Instruction *, std::size_t> group_of_;
};

/// Finds the pairs of arrays of which disjointness makes more groups.
void find_disjoint_accesses(disjoint_accesses &, const item_loop &, const llvm::LoopInfo &, const shapes &);

}  // namespace dpep::jit::spmd
