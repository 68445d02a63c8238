// A kernel as a plain function of who the work-item is: ids and local memory are arguments, barriers are all that is
// left of the builtins.
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

/// How a work-group is cut into sub-groups: each is `size` work-items with consecutive linear ids, the last one `last`.
struct sub_group_layout {
  std::size_t size = 1, count = 1, last = 1;
};

/// What the local ids of a work_item_function count.
enum class counted {
  work_items,  // of the work-group, in three dimensions
  lanes,       // work-items of one sub-group, in dimension 0: the kernel's sub-groups do something together
  sub_groups   // of the work-group, in dimension 0: the function does what all the work-items of one do
};

struct work_item_function {
  llvm::Function *function = nullptr;
  llvm::Argument *arguments = nullptr;         // the kernel's own
  std::array<llvm::Argument *, 3> local_id{};  // all that differs between those that meet at barriers
  std::array<llvm::Argument *, 3> group_id{}, group_count{}, offset{};
  llvm::Argument *sub_group = nullptr;  // the number of the sub-group, where lanes are counted
  llvm::Argument *dynamic_local = nullptr, *static_local = nullptr, *scratch = nullptr;  // parts of the local memory
  std::array<std::size_t, 3> local_size{1, 1, 1};                                        // constants when grouped
  sub_group_layout sub_groups;
  counted counts = counted::work_items;
  std::size_t static_local_bytes = 0, scratch_bytes = 0;  // that the kernel asks for
  bool has_barriers = false;                              // of the work-group
  bool checked = false;                                   // see specialisation
  std::vector<const llvm::Value *> lane_counts;           // in a sub-group's function: where its loops end

  std::size_t group_size() const { return local_size[0] * local_size[1] * local_size[2]; }
  /// How far the local ids count.
  std::array<std::size_t, 3> extent() const {
    if (counts == counted::work_items) return local_size;
    return {counts == counted::lanes ? sub_groups.size : sub_groups.count, 1, 1};
  }
  std::size_t count() const {
    const auto each = extent();
    return each[0] * each[1] * each[2];
  }
};

/// Where the arguments of a function of the same type are.
void find_arguments(work_item_function &);
/// The number of work-items in a sub-group, by the sub-group's number.
llvm::Value *lanes_of(llvm::IRBuilder<> &, const sub_group_layout &, llvm::Value *sub_group);

/// Turns `kernel` into such a function, which takes its body and its name; `kernel` is erased. Work-items of a launch
/// without work-groups are groups of one. Barriers and exchanges of sub-groups are left too where sub-groups have more
/// than one work-item. Throws errc::build.
work_item_function make_work_item_function(llvm::Function &kernel, const specialisation &);

}  // namespace dpep::jit::spmd
