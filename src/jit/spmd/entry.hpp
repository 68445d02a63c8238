// The frame of a work_function: its signature, the launch's geometry, and the parts of the local memory.
#pragma once

#include <array>

#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

inline constexpr std::size_t local_part_alignment = 64;

/// A work_function whose entry block has loaded what work-items want to know.
struct entry_frame {
  llvm::Function *function = nullptr;
  llvm::Value *arguments = nullptr, *begin = nullptr, *end = nullptr;
  std::array<llvm::Value *, 3> group_count{}, offset{};
  llvm::Value *dynamic_local = nullptr, *static_local = nullptr, *scratch = nullptr;
  llvm::BasicBlock *exit = nullptr;  // returns
};

/// The function takes the item's name, attributes and debug information. `build` then stands where the work begins,
/// which is reached when there is some.
entry_frame make_entry(work_item_function &, const specialisation &, llvm::IRBuilder<> &build);

/// Moves the item's blocks between `from`, which has no terminator yet, and `to`, where its returns go.
void move_body(work_item_function &item, const entry_frame &frame, llvm::BasicBlock *from, llvm::BasicBlock *to,
               const std::array<llvm::Value *, 3> &group_id);

/// The coordinates of unit number `linear`, counted with dimension 0 fastest.
std::array<llvm::Value *, 3> coordinates(llvm::IRBuilder<> &, llvm::Value *linear,
                                         const std::array<llvm::Value *, 3> &counts, unsigned dimensions);

/// Tells the optimiser that nobody writes the kernel's arguments, so that loads of them leave the loops.
void mark_arguments_invariant(llvm::Argument &arguments);

}  // namespace dpep::jit::spmd
