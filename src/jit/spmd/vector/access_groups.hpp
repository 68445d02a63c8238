// Accesses of a work-item to neighbouring places, done together: fields of structures, rows of short vectors.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// Loads or stores of one block, of elements of one type, by all lanes together: lane n's are `pitch` elements further
/// on than lane n - 1's. The loads can all be done where the first is, the stores where the last is.
struct access_group {
  struct member {
    llvm::Instruction *access;
    std::uint64_t place;  // in elements from the first in memory
  };
  llvm::SmallVector<member> members;  // in program order
  std::uint64_t pitch = 0;
  std::int64_t first_place = 0;  // in memory, from the first member in program order: 0 or less, in elements

  std::uint64_t length() const;  // of what one work-item accesses, gaps included
};

class access_groups {
public:
  access_groups(const llvm::BasicBlock &, const shapes &);
  /// Null: it is better done alone.
  const access_group *find(const llvm::Instruction *access) const;

private:
  struct place {
    const llvm::Value *base;
    std::int64_t offset, stride;
    std::uint64_t size;
  };
  static place place_of(const llvm::Instruction &, const shapes &);
  bool may_join(const access_group &, llvm::Instruction &, const shapes &) const;
  static bool may_pass(const llvm::Instruction &moved, const llvm::Instruction &other, const shapes &);

  std::vector<access_group> groups_;
  llvm::DenseMap<const llvm::Instruction *, std::size_t> group_of_;
};

}  // namespace dpep::jit::spmd
