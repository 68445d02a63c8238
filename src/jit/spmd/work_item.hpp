// A kernel as a plain function of a work-item's ids: ids and local memory are arguments, and barriers and shuffles are
// the only remaining builtins.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "jit/launch/compiler.hpp"

namespace llvm {
class Argument;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

/// The division of a work-group into `count` sub-groups of `size` work-items with consecutive linear ids; the last one
/// has `last` work-items.
struct sub_group_layout {
  std::size_t size = 1, count = 1, last = 1;
};

/// The unit that the local ids of a work_item_function enumerate. "A function of lanes" has unit `lanes`.
enum class local_id_unit {
  work_items,  // of the work-group, in three dimensions
  lanes,       // work-items of one sub-group, in dimension 0, for kernels with sub-group operations
  sub_groups   // of the work-group, in dimension 0; each call runs all work-items of one
};

/// The function and its arguments, and the properties of the kernel that were found while lowering the builtins.
struct work_item_function {
  llvm::Function *function = nullptr;
  llvm::Argument *arguments = nullptr;         // the kernel's own
  std::array<llvm::Argument *, 3> local_id{};  // the only arguments that differ between work-items at a barrier
  std::array<llvm::Argument *, 3> group_id{}, group_count{}, offset{};
  llvm::Argument *sub_group = nullptr;  // the sub-group's number, in a function of lanes
  llvm::Argument *dynamic_local = nullptr, *static_local = nullptr, *scratch = nullptr;  // sections of local memory
  std::array<std::size_t, 3> local_size{1, 1, 1};                                        // constants when grouped
  sub_group_layout sub_groups;
  local_id_unit unit = local_id_unit::work_items;
  std::size_t static_local_bytes = 0, scratch_bytes = 0;  // requested by the kernel
  bool has_barriers = false;                              // of the work-group
  bool checked = false;                                   // see specialisation
  std::vector<const llvm::Value *> lane_counts;           // in a sub-group's function: the bounds of its loops

  std::size_t group_size() const { return local_size[0] * local_size[1] * local_size[2]; }
  /// The extents of the local ids.
  std::array<std::size_t, 3> extent() const {
    if (unit == local_id_unit::work_items) return local_size;
    return {unit == local_id_unit::lanes ? sub_groups.size : sub_groups.count, 1, 1};
  }
  std::size_t count() const {
    const auto each = extent();
    return each[0] * each[1] * each[2];
  }
};

/// Sets the argument members from the item's function.
void find_arguments(work_item_function &);
/// Emits the number of work-items in the sub-group with number `sub_group`.
llvm::Value *emit_lane_count(llvm::IRBuilder<> &, const sub_group_layout &, llvm::Value *sub_group);

/// Moves the kernel's body and name to such a function and erases `kernel`. In a launch without work-groups, each
/// work-item is a group of its own. Sub-group barriers and shuffles remain if sub-groups have more than one work-item.
/// Throws errc::build.
work_item_function make_work_item_function(llvm::Function &kernel, const specialisation &);

}  // namespace dpep::jit::spmd
