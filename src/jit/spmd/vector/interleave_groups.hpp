// Interleave groups: a work-item's accesses to neighbouring addresses, done together. Examples are fields of structures
// and rows of short vectors.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// Loads or stores in one basic block, of elements of one type, done together by all lanes. Lane n's elements lie
/// `factor` elements behind lane n - 1's. All loads can be done at the first one, all stores at the last one.
struct interleave_group {
  struct member {
    llvm::Instruction *access;
    std::uint64_t index;  // in elements from the group's lowest address
  };
  llvm::SmallVector<member> members;  // in program order
  std::uint64_t factor = 0;

  std::uint64_t length() const;  // number of elements that one work-item's accesses span, gaps included
};

class interleave_groups {
public:
  interleave_groups(const llvm::BasicBlock &, const shapes &);
  /// The access's group. Null: the access is emitted alone.
  const interleave_group *find(const llvm::Instruction *access) const;

private:
  struct location {
    const llvm::Value *base;
    std::int64_t offset, stride;
    std::uint64_t size;
  };
  static location location_of(const llvm::Instruction &, const shapes &);
  bool may_join(const interleave_group &, llvm::Instruction &, const shapes &) const;
  static bool may_reorder(const llvm::Instruction &moved, const llvm::Instruction &other, const shapes &);

  std::vector<interleave_group> groups_;
  llvm::DenseMap<const llvm::Instruction *, std::size_t> group_of_;
};

}  // namespace dpep::jit::spmd
