// Scans of values that a function of the index computes.
#pragma once

#include <oneapi/dpl/detail/two_pass.hpp>
#include <sycl/detail/scan.hpp>

namespace oneapi::dpl::detail {

/// Makes a value known to be needed here, in registers. Otherwise LLVM computes sums behind a barrier, and their
/// operands, twice as many, are in registers while work-items wait there.
template <class T> void keep_in_register(T &x) {
  std::uint32_t parts[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(parts, &x, sizeof(T));
#pragma unroll
  for (std::uint32_t &part : parts) asm volatile("" : "+r"(part));
  __builtin_memcpy(&x, parts, sizeof(T));
}

/// The kernel for GPUs. The elements of a sub-group are adjacent; in each of some steps, a work-item has a few of them,
/// its lanes, which it loads and stores in one access. Values of work-items are scanned by shuffles.
///
/// A tile waits for those before it, so the bytes in flight decide the time: a work-item has 128 of them, in half of
/// its 64 registers.
template <bool inclusive, std::uint32_t lanes, class T, class Load, class To, class Op> struct tile_scan {
  static constexpr std::uint32_t items = 256, most_bytes = lanes > 1 ? 128 : 64;
  static constexpr std::uint32_t steps = most_bytes / (sizeof(T) < 4 ? 4 : sizeof(T) <= 8 ? sizeof(T) : 16) / lanes;
  static constexpr std::uint32_t length = items * steps * lanes;  // of a tile

  std::size_t n;
  Load load;
  To to;
  maybe<T> init;
  Op op;
  tile_prefixes<T> prefixes;

  void operator()(const sycl::nd_item<1> &item, T *memory) const {
    const group_place place(item);
    const std::size_t tile = prefixes.take(item), start = tile * length;
    if (n - start >= length)
      scan_whole_tile(item, place, memory, tile);
    else
      scan_last_tile(item, place, memory, tile, static_cast<std::uint32_t>(n - start));
  }

private:
  using values = T[steps][lanes];
  using any_sum = maybe<T>;
  /// Steps that are scanned side by side: few, because of their registers.
  static constexpr std::uint32_t together = steps < 4 ? steps : 4;

  T combine(const T &a, const T &b) const { return static_cast<T>(op(a, b)); }
  static T shuffle(const T &x, std::uint32_t lane) { return sycl::detail::sub_group_shuffle(x, lane); }

  /// The sums of the sub-group's values up to each lane's, in several scans side by side. Values of the scan k are
  /// combined in lanes for which exists(k) returns true.
  template <std::size_t count, class Exists>
  void scan_sub_group(const group_place &place, T (&up_to)[count], const Exists &exists) const {
    sycl::detail::for_doubling_distances([&](std::uint32_t distance) {
#pragma unroll
      for (std::size_t k = 0; k < count; ++k) {
        const T other = shuffle(up_to[k], place.lane_before(distance));
        if (place.lane >= distance && exists(k)) up_to[k] = combine(other, up_to[k]);
      }
    });
  }
  /// Replaces the elements of a sub-group by the sums of its elements up to each, or before each if
  /// exclusive; then the first one is any. Returns the sum of all.
  T scan_values(const group_place &place, values &all) const {
    T run = T();  // the sum of the steps before
#pragma unroll
    for (std::uint32_t first = 0; first < steps; first += together) {
      T up_to[together];
#pragma unroll
      for (std::uint32_t k = 0; k < together; ++k) {
#pragma unroll
        for (std::uint32_t l = 1; l < lanes; ++l) all[first + k][l] = combine(all[first + k][l - 1], all[first + k][l]);
        up_to[k] = all[first + k][lanes - 1];
      }
      scan_sub_group(place, up_to, [](std::size_t) { return true; });
#pragma unroll
      for (std::uint32_t k = 0; k < together; ++k) {
        T before = shuffle(up_to[k], place.lane_before(1));
        const T of_step = shuffle(up_to[k], place.width - 1);
        if (first + k) before = place.lane ? combine(run, before) : run;
        add_before(before, first + k || place.lane, all[first + k]);
        run = first + k ? combine(run, of_step) : of_step;
      }
    }
    return run;
  }
  /// The sums of a step's lanes become those with `before`, if there is one.
  void add_before(const T &before, bool any, T (&sums)[lanes]) const {
#pragma unroll
    for (std::uint32_t l = lanes; l-- > 0;)
      if constexpr (inclusive)
        sums[l] = any ? combine(before, sums[l]) : sums[l];
      else
        sums[l] = !l ? before : any ? combine(before, sums[l - 1]) : sums[l - 1];
  }

  /// The sum of the first `count` sub-groups, of those that have elements.
  any_sum sum_inside(std::uint32_t count, const T *memory) const {
    any_sum sum{T(), false};
    for (std::uint32_t g = 0; g < count; ++g) sum = {sum.any ? combine(sum.value, memory[g]) : memory[g], true};
    return sum;
  }

  void scan_whole_tile(const sycl::nd_item<1> &item, const group_place &place, T *memory, std::size_t tile) const {
    const std::uint32_t step = place.width * lanes;
    const std::size_t start = tile * length + place.sub_group * (steps * step) + place.lane * lanes;
    values all;
    load_tile(start, step, all);
    const T of_sub_group = scan_values(place, all);
    if (place.lane == 0) memory[place.sub_group] = of_sub_group;
    if (__dpep_has_fast_shuffles()) {
#pragma unroll
      for (std::uint32_t k = 0; k < steps; ++k)
#pragma unroll
        for (std::uint32_t l = 0; l < lanes; ++l) keep_in_register(all[k][l]);
    }
    sycl::group_barrier(item.get_group());
    const maybe_combine<T, Op> add{op};
    const auto sums_before = [&](std::uint32_t sub_group, T &own) {  // of the sub-groups; `own`: of the tile
      any_sum inside{T(), sub_group > 0};
      own = memory[0];
      for (std::uint32_t g = 1; g * place.width < items; ++g) {
        if (g == sub_group) inside.value = own;
        own = combine(own, memory[g]);
      }
      return inside;
    };
    T own;
    sums_before(0, own);
    const any_sum before_tile = add(init, prefixes.before(item, tile, own, add));
    const any_sum before = add(before_tile, sums_before(place.sub_group, own));
    if (before.any) {
#pragma unroll
      for (std::uint32_t k = 0; k < steps; ++k)
#pragma unroll
        for (std::uint32_t l = 0; l < lanes; ++l) all[k][l] = combine(before.value, all[k][l]);
      if (!inclusive && place.lane == 0) all[0][0] = before.value;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < steps; ++k)
      if constexpr (lanes > 1)
        store_adjacent(to, start + k * step, all[k]);
      else
        to[static_cast<std::ptrdiff_t>(start + k * step)] = all[k][0];
  }

  void load_tile(std::size_t start, std::uint32_t step, values &all) const {
#pragma unroll
    for (std::uint32_t k = 0; k < steps; ++k)
      if constexpr (lanes > 1)
        load.template load_adjacent<lanes>(start + k * step,
                                           [&](std::size_t l, auto &&x) { all[k][l] = static_cast<T>(x); });
      else
        all[k][0] = static_cast<T>(load(start + k * step));
  }

  /// Calls result(i, sum before it, element) for the elements [first, last) of a sub-group. Returns the sum of `run`
  /// and all of them.
  template <class Result>
  any_sum scan_elements(const group_place &place, std::size_t first, std::size_t last, any_sum run,
                        const Result &result) const {
#pragma nounroll
    for (std::size_t at = first; at < last; at += together * place.width) {
      const auto left =
          static_cast<std::uint32_t>(last - at < together * place.width ? last - at : together * place.width);
      const auto exists = [&](std::size_t k) { return k * place.width + place.lane < left; };
      T loaded[together], up_to[together];
#pragma unroll
      for (std::uint32_t k = 0; k < together; ++k)
        up_to[k] = loaded[k] = exists(k) ? static_cast<T>(load(at + k * place.width + place.lane)) : T();
      scan_sub_group(place, up_to, exists);
#pragma unroll
      for (std::uint32_t k = 0; k < together; ++k) {
        const std::uint32_t begin = k * place.width;
        const T previous = shuffle(up_to[k], place.lane_before(1));
        const T all = shuffle(up_to[k], left - begin < place.width ? left - begin - 1 : place.width - 1);
        if (begin >= left) continue;
        any_sum before = run;
        if (place.lane && exists(k)) before = {run.any ? combine(run.value, previous) : previous, true};
        if (exists(k)) result(at + begin + place.lane, before, loaded[k]);
        run = {run.any ? combine(run.value, all) : all, true};
      }
    }
    return run;
  }
  /// The last tile, of fewer elements: in little code, since code for a whole tile's elements that may be missing takes
  /// registers from whole tiles.
  void scan_last_tile(const sycl::nd_item<1> &item, const group_place &place, T *memory, std::size_t tile,
                      std::uint32_t count) const {
    const std::uint32_t of_sub_group = steps * lanes * place.width, begin = place.sub_group * of_sub_group;
    const std::uint32_t end = begin + of_sub_group < count ? begin + of_sub_group : count;
    const std::size_t start = tile * length, first = start + (begin < end ? begin : end), last = start + end;
    const any_sum own =
        scan_elements(place, first, last, any_sum{T(), false}, [](std::size_t, const any_sum &, const T &) {});
    if (place.lane == 0) memory[place.sub_group] = own.value;
    sycl::group_barrier(item.get_group());
    const maybe_combine<T, Op> add{op};
    any_sum before = add(init, prefixes.before(item, tile, T(), add, false));
    if (first < last) before = add(before, sum_inside(place.sub_group, memory));
    scan_elements(place, first, last, before, [this](std::size_t i, const any_sum &sum, const T &x) {
      if constexpr (inclusive)
        to[static_cast<std::ptrdiff_t>(i)] = sum.any ? combine(sum.value, x) : x;
      else
        to[static_cast<std::ptrdiff_t>(i)] = sum.value;
    });
  }
};

/// scan_into on GPUs.
template <bool inclusive, class T, class Load, class To, class Op>
void grouped_scan(call &c, std::size_t n, const Load &load, const To &to, const maybe<T> &init, const Op &op) {
  const auto scan = [&]<std::uint32_t lanes>() {
    using kernel = tile_scan<inclusive, lanes, T, Load, To, Op>;
    const std::size_t tiles = blocks_of(n, kernel::length);
    const kernel scan_tile{n, load, to, init, op, tile_prefixes<T>(c, tiles)};
    c.for_each_group_with_memory<T>(tiles, kernel::items, most_sub_groups, scan_tile);
  };
  constexpr std::size_t own = std::is_arithmetic_v<T> ? std::max<std::size_t>(16 / sizeof(T), 1) : 1;
  if constexpr (std::is_pointer_v<To>) {
    constexpr std::size_t lanes =
        std::min({own, lanes_of<Load>, vector_lanes<std::remove_pointer_t<To>>, std::size_t{4}});
    if constexpr (lanes > 1)
      if (load.is_aligned(lanes) && element_loader<std::remove_pointer_t<To> *>{to}.is_aligned(lanes))
        return scan.template operator()<lanes>();
  }
  scan.template operator()<1>();
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

}  // namespace oneapi::dpl::detail
