// Sorting by the work-items of a group (extension sycl_ext_oneapi_group_sort).
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include <sycl/group_algorithms.hpp>
#include <sycl/memory_model.hpp>

namespace sycl::ext::oneapi::experimental {

/// A group with memory for its sorts, which all of its work-items pass.
template <class Group, std::size_t Extent> class group_with_scratchpad {
public:
  group_with_scratchpad(Group g, std::span<std::byte, Extent> memory) : group_(g), memory_(memory) {}
  Group get_group() const { return group_; }
  std::span<std::byte, Extent> get_memory() const { return memory_; }

private:
  Group group_;
  std::span<std::byte, Extent> memory_;
};

namespace default_sorters {

/// Sorts a range in memory: runs of one element are merged to runs of two, four and so on. Each work-item finds the
/// places of its elements in the merged run by binary search. Stable.
template <class Compare = std::less<>> class joint_sorter {
public:
  template <std::size_t Extent>
  explicit joint_sorter(std::span<std::byte, Extent> memory, Compare less = {}) : memory_(memory.data()), less_(less) {}

  template <class Group, class Ptr> void operator()(Group g, Ptr first, Ptr last) {
    using T = std::remove_cvref_t<decltype(*first)>;
    T *const other = reinterpret_cast<T *>(memory_);
    const auto count = static_cast<std::size_t>(last - first);
    const std::size_t own = g.get_local_linear_id(), all = g.get_local_linear_range();
    for (std::size_t run = 1; run < count; run *= 2) {
      sycl::group_barrier(g);
      for (std::size_t i = own; i < count; i += all) {
        const std::size_t begin = i / (2 * run) * (2 * run), middle = least(begin + run, count);
        const bool left = i < middle;
        // The number of elements of the other run that come before this one.
        std::size_t low = left ? middle : begin, high = left ? least(begin + 2 * run, count) : middle;
        const std::size_t start = low;
        while (low < high) {
          const std::size_t probe = low + (high - low) / 2;
          if (left ? less_(first[probe], first[i]) : !less_(first[i], first[probe]))
            low = probe + 1;
          else
            high = probe;
        }
        other[begin + (i - (left ? begin : middle)) + (low - start)] = first[i];
      }
      sycl::group_barrier(g);
      for (std::size_t i = own; i < count; i += all) first[i] = other[i];
    }
    sycl::group_barrier(g);
  }
  template <class T> static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return range_size * sizeof(T) + alignof(T);
  }

private:
  static std::size_t least(std::size_t a, std::size_t b) { return a < b ? a : b; }
  std::byte *memory_;
  Compare less_;
};

/// Sorts one value of each work-item: the work-item with id i gets the i-th value.
template <class T, class Compare = std::less<>> class group_sorter {
public:
  template <std::size_t Extent>
  explicit group_sorter(std::span<std::byte, Extent> memory, Compare less = {}) : memory_(memory.data()), less_(less) {}

  template <class Group> T operator()(Group g, T value) {
    T *const values = reinterpret_cast<T *>(memory_);
    const std::size_t own = g.get_local_linear_id(), all = g.get_local_linear_range();
    sycl::group_barrier(g);
    values[own] = value;
    sycl::group_barrier(g);
    std::size_t place = 0;
    for (std::size_t i = 0; i < all; ++i) place += less_(values[i], value) || (i < own && !less_(value, values[i]));
    sycl::group_barrier(g);
    values[place] = value;
    sycl::group_barrier(g);
    return values[own];
  }
  static constexpr std::size_t memory_required(memory_scope, std::size_t range_size) {
    return range_size * sizeof(T) + alignof(T);
  }

private:
  std::byte *memory_;
  Compare less_;
};

}  // namespace default_sorters

template <class Group, std::size_t Extent, class Ptr, class Compare = std::less<>>
void joint_sort(const group_with_scratchpad<Group, Extent> &exec, Ptr first, Ptr last, Compare less = {}) {
  default_sorters::joint_sorter<Compare>(exec.get_memory(), less)(exec.get_group(), first, last);
}
template <class Group, class Ptr, class Sorter>
  requires(sycl::is_group_v<Group>)
void joint_sort(Group g, Ptr first, Ptr last, Sorter sorter) {
  sorter(g, first, last);
}
template <class Group, std::size_t Extent, class T, class Compare = std::less<>>
T sort_over_group(const group_with_scratchpad<Group, Extent> &exec, T value, Compare less = {}) {
  return default_sorters::group_sorter<T, Compare>(exec.get_memory(), less)(exec.get_group(), value);
}
template <class Group, class T, class Sorter>
  requires(sycl::is_group_v<Group>)
T sort_over_group(Group g, T value, Sorter sorter) {
  return sorter(g, value);
}

}  // namespace sycl::ext::oneapi::experimental
