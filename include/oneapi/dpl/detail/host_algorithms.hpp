// The algorithms with policies of the host, and without a policy: those of the standard library.
#pragma once

#include <algorithm>
#include <utility>

#include <oneapi/dpl/detail/policy.hpp>

/// std's function, and its form with a policy of the host.
#define DPEP_DPL_ON_HOST(name)                                                                                         \
  using std::name;                                                                                                     \
  template <detail::host_policy P, class... A> decltype(auto) name(P &&, A &&...arguments) {                           \
    return std::name(std::forward<A>(arguments)...);                                                                   \
  }

namespace oneapi::dpl {

// clang-format off
#define DPEP_DPL_STANDARD(X) \
  X(adjacent_find) X(all_of) X(any_of) X(copy) X(copy_if) X(copy_n) X(count) X(count_if) X(equal) X(fill) X(fill_n) \
  X(find) X(find_end) X(find_first_of) X(find_if) X(find_if_not) X(for_each) X(for_each_n) X(generate) X(generate_n) \
  X(includes) X(inplace_merge) X(is_heap) X(is_heap_until) X(is_partitioned) X(is_sorted) X(is_sorted_until) X(lexicographical_compare) \
  X(max_element) X(merge) X(min_element) X(minmax_element) X(mismatch) X(move) X(none_of) X(nth_element) \
  X(partial_sort) X(partial_sort_copy) X(partition) X(partition_copy) X(remove) X(remove_copy) X(remove_copy_if) \
  X(remove_if) X(replace) X(replace_copy) X(replace_copy_if) X(replace_if) X(reverse) X(reverse_copy) X(rotate) \
  X(rotate_copy) X(search) X(search_n) X(set_difference) X(set_intersection) X(set_symmetric_difference) X(set_union) \
  X(shift_left) X(shift_right) X(sort) X(stable_partition) X(stable_sort) X(swap_ranges) X(transform) X(unique) \
  X(unique_copy)
// clang-format on
DPEP_DPL_STANDARD(DPEP_DPL_ON_HOST)
#undef DPEP_DPL_STANDARD

}  // namespace oneapi::dpl

#undef DPEP_DPL_ON_HOST
