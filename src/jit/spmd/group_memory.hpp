// The storage of work-items' variables while a work-group runs.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include "jit/spmd/item_array.hpp"

namespace llvm {
class AllocaInst;
class Instruction;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;
class spill_slots;
struct entry_frame;
struct work_item_function;

struct group_memory {
  /// Moves the item's stack variables to the entry, and allocates scratch memory for all that must be kept for each
  /// work-item.
  group_memory(work_item_function &, const entry_frame &, const region_graph &, const spill_slots &);

  /// Whether the instruction writes to a private variable whose memory all work-items of a region reuse one after the
  /// other. Such a write is not visible to any other work-item.
  bool is_reused_private_write(const llvm::Instruction &) const;

  /// Emits the initialisation before a work-group's first region.
  void initialise(llvm::IRBuilder<> &, const entry_frame &, const work_item_function &) const;

  /// The promoted local array's variables, in the entry.
  struct promoted_array {
    unsigned slot = 0;
    llvm::AllocaInst *published = nullptr;  // the address of the values that all may read; null: no array is promoted
    llvm::AllocaInst *pending = nullptr;    // the address for new values, if the array is double-buffered
  };
  llvm::DenseMap<const llvm::Value *, unsigned> slot_number_of;  // by the slot's variable
  std::vector<llvm::AllocaInst *> uniform_variables;             // by slot number, of uniform slots; in the entry
  std::vector<item_array> item_arrays;                           // by slot number, of all others
  promoted_array promoted;
  llvm::SmallVector<llvm::AllocaInst *> reused_variables;                       // private ones, in the entry
  llvm::SmallVector<std::pair<llvm::AllocaInst *, item_array>> kept_variables;  // private ones
  llvm::DenseSet<const llvm::Value *> stack_arrays;                             // of item_arrays and kept_variables
  bool private_escapes = false;  // the address of a reused variable may be stored anywhere
};

}  // namespace dpep::jit::spmd
