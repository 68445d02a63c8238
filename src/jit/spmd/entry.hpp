// The frame of a work_function: its signature, the launch's geometry, and the sections of local memory.
#pragma once

#include <array>

#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// Attribute of functions of a span of a launch: the number of the launch's dimensions.
inline constexpr const char *dimensions_attribute = "dpep-dimensions";

inline constexpr std::size_t local_part_alignment = 64;

/// A work_function whose entry block has loaded the launch's geometry.
struct entry_frame {
  llvm::Function *function = nullptr;
  llvm::Value *arguments = nullptr, *begin = nullptr, *end = nullptr;
  std::array<llvm::Value *, 3> group_count{}, offset{};
  llvm::Value *dynamic_local = nullptr, *static_local = nullptr, *scratch = nullptr;
  llvm::BasicBlock *exit = nullptr;  // contains the return
};

/// Makes a function with the item's name, attributes and debug information. Sets the insertion point to the block that
/// is reached if the span is not empty.
entry_frame make_entry(work_item_function &, const specialisation &, llvm::IRBuilder<> &build);

/// Moves the item's blocks between `from`, which has no terminator yet, and `to`, to which the item's returns branch.
void move_body(work_item_function &item, const entry_frame &frame, llvm::BasicBlock *from, llvm::BasicBlock *to,
               const std::array<llvm::Value *, 3> &group_id);

/// Emits the coordinates of the unit with linear index `linear`, dimension 0 fastest.
std::array<llvm::Value *, 3> coordinates(llvm::IRBuilder<> &, llvm::Value *linear,
                                         const std::array<llvm::Value *, 3> &counts, unsigned dimensions);

/// Launches of several dimensions run in strips: all rows of the first strip of dimension 0, then those of the next.
/// What the rows of a strip read in common stays in the second-level cache. The number of work-items in a row of a
/// strip.
inline constexpr std::uint64_t strip_length = 8192;

/// The coordinates of the unit with index `linear` in the order of strips of `length` units.
std::array<llvm::Value *, 3> coordinates_in_strips(llvm::IRBuilder<> &, llvm::Value *linear,
                                                   const std::array<llvm::Value *, 3> &counts, unsigned dimensions,
                                                   std::uint64_t length);

/// Marks loads of the kernel's arguments as invariant, so that they are hoisted out of the loops. Does nothing for a
/// kernel that writes to them.
void mark_arguments_invariant(llvm::Argument &arguments);

}  // namespace dpep::jit::spmd
