// A call of a group algorithm, for the files that define them.
#pragma once

#include "pykernel/library/library.hpp"

namespace dpep::pykernel {

/// A call of a group algorithm, with its group checked.
struct group_call {
  translation &ctx;
  std::string_view function;  // "reduce_over_group"
  const arguments &args;
  const expression &at;
  const value &group;

  bool is_sub_group() const { return group.of->what == type_properties::kind::sub_group; }
};

/// The linear id of the work-item in the group.
node local_id(const group_call &);
/// The number of work-items in the group.
node group_size(const group_call &);
/// Calls a function of device/group_algorithms.cpp, named without scope and type, with a number and further arguments.
value call_library(const group_call &, const std::string &function, const value &, std::vector<node> more);
/// Reports an error unless a value is an array of one dimension.
void require_one_dimension(const group_call &, const value &array);

// --- group_memory.cpp: group_load, group_store.
value group_load_or_store(const group_call &);
// --- group_sorts.cpp: joint_sort, sort_over_group.
value joint_sort(const group_call &);
value sort_over_group(const group_call &);

}  // namespace dpep::pykernel
