// Reductions by a group with any operation, in memory of the group (extension sycl_ext_oneapi_user_defined_reductions).
#pragma once

#include <cstddef>
#include <iterator>

#include <sycl/ext/oneapi/experimental/group_sort.hpp>

namespace sycl::ext::oneapi::experimental {

namespace detail {

/// The values of work-items 0, 1, …, combined in this order as a tree. Every work-item gets the result. Those from
/// `count` on have no value.
template <class Helper, class T, class Operation>
T combined(const Helper &helper, const T &value, std::size_t count, Operation combine) {
  const auto g = helper.get_group();
  T *const values = reinterpret_cast<T *>(helper.get_memory().data());
  const std::size_t own = g.get_local_linear_id();
  sycl::group_barrier(g);
  if (own < count) values[own] = value;
  for (std::size_t distance = 1; distance < count; distance *= 2) {
    sycl::group_barrier(g);
    if (own % (2 * distance) == 0 && own + distance < count) values[own] = combine(values[own], values[own + distance]);
  }
  sycl::group_barrier(g);
  const T result = values[0];
  sycl::group_barrier(g);
  return result;
}

}  // namespace detail

/// Combines one value of each work-item. The group's memory has at least sizeof(T) bytes for each work-item.
template <class Helper, class T, class Operation>
  requires requires(Helper h) { h.get_group(), h.get_memory(); }
T reduce_over_group(Helper helper, T value, Operation combine) {
  return detail::combined(helper, value, helper.get_group().get_local_linear_range(), combine);
}
template <class Helper, class V, class T, class Operation>
  requires requires(Helper h) { h.get_group(), h.get_memory(); }
T reduce_over_group(Helper helper, V value, T init, Operation combine) {
  return combine(init, reduce_over_group(helper, T(value), combine));
}

/// Combines the elements of a range in memory, which is not empty.
template <class Helper, class Ptr, class Operation>
  requires requires(Helper h) { h.get_group(), h.get_memory(); }
typename std::iterator_traits<Ptr>::value_type joint_reduce(Helper helper, Ptr first, Ptr last, Operation combine) {
  using T = typename std::iterator_traits<Ptr>::value_type;
  const auto g = helper.get_group();
  const auto count = static_cast<std::size_t>(last - first);
  const std::size_t all = g.get_local_linear_range(), own = g.get_local_linear_id();
  // Each work-item combines a run of neighbours, so that the order of the elements is kept.
  const std::size_t each = (count + all - 1) / all, begin = own * each;
  const std::size_t end = begin + each < count ? begin + each : count;
  T value = first[begin < count ? begin : 0];
  for (std::size_t i = begin + 1; i < end; ++i) value = combine(value, first[i]);
  return detail::combined(helper, value, (count + each - 1) / each, combine);
}
template <class Helper, class Ptr, class T, class Operation>
  requires requires(Helper h) { h.get_group(), h.get_memory(); }
T joint_reduce(Helper helper, Ptr first, Ptr last, T init, Operation combine) {
  if (first == last) return init;
  return combine(init, T(joint_reduce(helper, first, last, combine)));
}

}  // namespace sycl::ext::oneapi::experimental
