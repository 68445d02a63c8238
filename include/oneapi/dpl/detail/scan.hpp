// Scans of values that a function of the index computes.
#pragma once

#include <oneapi/dpl/detail/two_pass.hpp>
#include <sycl/detail/scan.hpp>

namespace oneapi::dpl::detail {

/// scan_into on GPUs, through local memory: neighbouring work-items load and store neighbouring elements, and each
/// scans a strip.
template <bool inclusive, class T, class Load, class To, class Op>
void grouped_scan(call &c, std::size_t n, const Load &load, const To &to, const maybe<T> &init, const Op &op) {
  constexpr std::size_t items = 256, strip = sizeof(T) <= 4 ? 16 : sizeof(T) <= 8 ? 8 : 4, length = items * strip;
  const std::size_t tiles = blocks_of(n, length);
  using value = maybe<T>;
  const maybe_combine<T, Op> add{op};
  const tile_prefixes<T> prefixes(c, tiles);
  const auto place = [](std::size_t i) { return i + i / 32; };  // strips begin in different banks of local memory
  const std::size_t elements = place(length) + most_sub_groups;
  c.for_each_group_with_memory<T>(tiles, items, elements, [=](sycl::nd_item<1> item, T *memory) {
    const std::size_t tile = prefixes.take(item), local = item.get_local_id(0), start = tile * length;
    const std::size_t count = n - start < length ? n - start : length;  // of the tile's elements
    move_tile<items, strip>(
        local, count, [=](std::size_t i) { return static_cast<T>(load(start + i)); },
        [=](std::size_t i, const T &x) { memory[place(i)] = x; });
    sycl::group_barrier(item.get_group());
    const std::size_t first = local * strip;
    const auto scan_strips = [&](auto is_full) {
      const auto exists = [=](std::size_t k) { return is_full || first + k < count; };
      T own[strip], sum{};
#pragma unroll
      for (std::size_t k = 0; k < strip; ++k)
        if (exists(k)) {
          own[k] = memory[place(first + k)];
          sum = k ? static_cast<T>(op(sum, own[k])) : own[k];
        }
      const group_sums<T> inside = scan_group(item, sum, blocks_of(count, strip), memory + place(length), op);
      value before = add(init, prefixes.before(item, tile, inside.all, add));
      before = add(before, inside.before);
#pragma unroll
      for (std::size_t k = 0; k < strip; ++k)
        if (exists(k)) {
          const value next = add(before, value{own[k], true});
          memory[place(first + k)] = inclusive ? next.value : before.value;
          before = next;
        }
    };
    if (count == length)
      scan_strips(std::true_type());
    else
      scan_strips(std::false_type());
    sycl::group_barrier(item.get_group());
    move_tile<items, strip>(
        local, count, [=](std::size_t i) { return memory[place(i)]; },
        [=](std::size_t i, const T &x) { to[static_cast<std::ptrdiff_t>(start + i)] = x; });
  });
}

/// to[i] = init op load(0) op … op load(i), without load(i) if exclusive. `init` may be missing if inclusive.
template <bool inclusive, class T, class Load, class To, class Op>
void scan_into(call &c, std::size_t n, const Load &load, const To &to, const maybe<T> &init, const Op &op) {
  if (!n) return;
  if constexpr (sizeof(T) <= 16 && std::is_trivially_default_constructible_v<T>)
    if (!c.on_host()) return grouped_scan<inclusive, T>(c, n, load, to, init, op);
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
