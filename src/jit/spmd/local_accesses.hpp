// The kernel's accesses to its local memory, by where in one array each work-item's lies.
#pragma once

#include <optional>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// A plain load or store, at an offset from the array's start.
struct local_access {
  llvm::Instruction *instruction;
  llvm::Instruction *from_start;                        // that has the array's start as its pointer
  llvm::SmallVector<llvm::GetElementPtrInst *, 3> way;  // from the start
};

/// All accesses, if they are plain and all of one array, which starts at a place that is the same for the whole kernel;
/// else nothing.
std::optional<std::vector<local_access>> find_local_accesses(const work_item_function &);

/// By how many bytes from the start the work-item's access is, where that only depends on who it is.
std::optional<std::int64_t> offset_of(const local_access &, const work_item_function &,
                                      const std::array<std::uint64_t, 3> &local_id);

}  // namespace dpep::jit::spmd
