// Merges of sorted sequences, cut into blocks by merge paths.
//
// Green, McColl and Bader, "GPU Merge Path" (2012): the first d elements of the result are the first a of one sequence
// and d - a of the other; a binary search finds a.
#pragma once

#include <oneapi/dpl/detail/call.hpp>

namespace oneapi::dpl::detail {

/// How many of the result's first `diagonal` elements come from `a`. Equal elements of `a` are before those of `b`.
template <class A, class B, class Less>
std::size_t merge_path(const A &a, std::size_t a_count, const B &b, std::size_t b_count, std::size_t diagonal,
                       const Less &less) {
  std::size_t low = diagonal > b_count ? diagonal - b_count : 0, high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(b[static_cast<std::ptrdiff_t>(diagonal - middle - 1)], a[static_cast<std::ptrdiff_t>(middle)]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Writes the elements [first, last) of the merged sequence to out[first], ….
template <class A, class B, class Out, class Less>
void merge_part(const A &a, std::size_t a_count, const B &b, std::size_t b_count, const Out &out, std::size_t first,
                std::size_t last, const Less &less) {
  const auto at = [](const auto &sequence, std::size_t i) -> decltype(auto) {
    return sequence[static_cast<std::ptrdiff_t>(i)];
  };
  std::size_t i = merge_path(a, a_count, b, b_count, first, less), j = first - i, k = first;
  while (k < last && i < a_count && j < b_count) {
    const bool from_b = less(at(b, j), at(a, i));
    if (from_b)
      at(out, k) = at(b, j);
    else
      at(out, k) = at(a, i);
    j += from_b;
    i += !from_b;
    ++k;
  }
  for (; k < last && i < a_count; ++k, ++i) at(out, k) = at(a, i);
  for (; k < last; ++k, ++j) at(out, k) = at(b, j);
}

/// The elements of a result that a work-item computes.
inline std::size_t merge_block(const call &c, std::size_t n) {
  if (!c.on_host()) return 16;
  const std::size_t even = (n + 4 * c.threads() - 1) / (4 * c.threads());
  return even < 2048 ? 2048 : even;
}
/// f(i) for i < n, by threads or by work-items.
template <class F> void for_each_part(call &c, std::size_t n, const F &f) {
  if (c.on_host())
    c.for_each_block(n, f);
  else
    c.for_each_index(n, f);
}

template <class A, class B, class Out, class Less>
void merge_into(call &c, const A &a, std::size_t a_count, const B &b, std::size_t b_count, const Out &out, Less less) {
  const std::size_t n = a_count + b_count, length = merge_block(c, n);
  for_each_part(c, (n + length - 1) / length, [=](std::size_t part) {
    const std::size_t first = part * length, last = n - first < length ? n : first + length;
    merge_part(a, a_count, b, b_count, out, first, last, less);
  });
}

}  // namespace oneapi::dpl::detail
