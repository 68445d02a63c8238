// Scans of values that a function of the index computes.
#pragma once

#include <oneapi/dpl/detail/two_pass.hpp>
#include <sycl/detail/scan.hpp>

namespace oneapi::dpl::detail {

/// to[i] = init op load(0) op … op load(i), without load(i) if exclusive. `init` may be missing if inclusive.
template <bool inclusive, class T, class Load, class To, class Op>
void scan_into(call &c, std::size_t n, const Load &load, const To &to, const maybe<T> &init, const Op &op) {
  if (!n) return;
  constexpr bool is_known = sycl::detail::operation_of<Op> != sycl::detail::operation::other;  // and commutative
  const auto summarize = [=](std::size_t first, std::size_t last) {
    if constexpr (is_known)
      return fold<T>(load, first, last, op);
    else
      return fold_in_order<T>(load, first, last, op);
  };
  const auto combine = [=](const T &a, const T &b) { return static_cast<T>(op(a, b)); };
  const auto emit = [=](std::size_t first, std::size_t last, const maybe<T> &before) {
    maybe<T> sum = before;
    if (init.any) sum = {before.any ? static_cast<T>(op(init.value, before.value)) : init.value, true};
    std::size_t i = first;
    if (!sum.any) {  // inclusive
      sum = {static_cast<T>(load(i)), true};
      to[static_cast<std::ptrdiff_t>(i++)] = sum.value;
    }
    if constexpr (is_known && requires { load.pointer; } && std::is_same_v<To, T *>) {
      using sycl::detail::scan;
      if (last - i >= 256)
        return sycl::detail::scan_values<inclusive ? scan::inclusive : scan::exclusive, T>(load.pointer + i, to + i,
                                                                                           last - i, sum.value, op);
    }
    if constexpr (!is_known && std::is_arithmetic_v<T>) {  // parts side by side, for the reason of fold_parts
      constexpr int ways = 4;
      if (const std::size_t length = (last - i) / ways; length >= 64) {
        T sums[ways];
        fold_parts<ways>(load, i, length, op, sums);
        T before_part = sum.value;
        for (int k = 0; k < ways; ++k) {
          const T own = sums[k];
          sums[k] = before_part;
          before_part = static_cast<T>(op(before_part, own));
        }
        for (std::size_t at_part = 0; at_part < length; ++at_part)
          for (int k = 0; k < ways; ++k) {
            const std::size_t here = i + static_cast<std::size_t>(k) * length + at_part;
            const T next = static_cast<T>(op(sums[k], static_cast<T>(load(here))));
            to[static_cast<std::ptrdiff_t>(here)] = inclusive ? next : sums[k];
            sums[k] = next;
          }
        sum.value = sums[ways - 1];
        i += ways * length;
      }
    }
    for (; i < last; ++i) {
      const T next = static_cast<T>(op(sum.value, static_cast<T>(load(i))));
      to[static_cast<std::ptrdiff_t>(i)] = inclusive ? next : sum.value;
      sum.value = next;
    }
  };
  two_pass<T>(c, n, summarize, combine, emit);
}

/// The elements of an iterator, by index.
template <class It> struct element_loader {
  It from;
  decltype(auto) operator()(std::size_t i) const { return from[static_cast<std::ptrdiff_t>(i)]; }
};
template <class T> struct element_loader<T *> {
  T *pointer;
  T &operator()(std::size_t i) const { return pointer[i]; }
};
template <class It> element_loader(It) -> element_loader<It>;

}  // namespace oneapi::dpl::detail
