// Where the variables of a work-group's work-items are while the work-group runs.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include "jit/spmd/slots.hpp"

namespace llvm {
class AllocaInst;
class Instruction;
}  // namespace llvm

namespace dpep::jit::spmd {

class region_graph;
class value_cells;
struct entry_frame;
struct work_item_function;

struct group_memory {
  /// Moves the item's stack variables to the entry, and takes scratch memory for what must be kept for each work-item.
  group_memory(work_item_function &, const entry_frame &, const region_graph &, const value_cells &);

  /// Whether the instruction writes a private variable which all work-items of a region keep at one place, one after
  /// the other: nothing that anybody else could see.
  bool is_passing_write(const llvm::Instruction &) const;

  /// What is to be done before a work-group's first region.
  void begin(llvm::IRBuilder<> &, const entry_frame &, const work_item_function &) const;

  /// Of the cell that work-items show each other.
  struct shown_places {
    unsigned cell = 0;
    llvm::AllocaInst *shown = nullptr;  // where the values lie that all may read; null: there is no such cell
    llvm::AllocaInst *other = nullptr;  // where new ones go, if two arrays take turns
  };
  llvm::DenseMap<const llvm::Value *, unsigned> cell_of;  // the number of a cell, by its variable
  std::vector<llvm::AllocaInst *> shared;                 // by cell: of uniform ones, in the entry
  std::vector<slot> slots;                                // by cell: of all others
  shown_places shown;
  llvm::SmallVector<llvm::AllocaInst *> passing;                         // private variables, in the entry
  llvm::SmallVector<std::pair<llvm::AllocaInst *, slot>> kept_for_each;  // private variables
  llvm::DenseSet<const llvm::Value *> on_stack;                          // slots' variables
  bool private_escapes = false;                                          // a passing one's address may be anywhere
};

}  // namespace dpep::jit::spmd
