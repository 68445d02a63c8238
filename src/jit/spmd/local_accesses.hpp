// The kernel's accesses to one array in local memory, and their offsets for each work-item.
#pragma once

#include <optional>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// A simple load or store at an offset from the array's base, which is the pointer operand of `base_user`.
struct local_access {
  llvm::Instruction *instruction;
  llvm::Instruction *base_user;                           // the first step, or the access if there is none
  llvm::SmallVector<llvm::GetElementPtrInst *, 3> steps;  // the address computations from the base
};

/// Returns all accesses if they are simple and of one array, whose base is the same in the whole kernel; else nothing.
std::optional<std::vector<local_access>> find_local_accesses(const work_item_function &);

/// Returns the access's offset from the base in bytes, if it depends on the local id only.
std::optional<std::int64_t> offset_of(const local_access &, const work_item_function &,
                                      const std::array<std::uint64_t, 3> &local_id);

}  // namespace dpep::jit::spmd
