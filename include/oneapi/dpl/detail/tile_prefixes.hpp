// Prefixes of tiles, which work-groups of a GPU compute in one pass over memory.
//
// Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016): a work-group publishes the
// sum of its tile, then adds the sums of the tiles before, back to one whose prefix is known, and publishes its own
// prefix.
#pragma once

#include <oneapi/dpl/detail/reduce.hpp>
#include <sycl/atomic_ref.hpp>

namespace oneapi::dpl::detail {

/// store(i, load(i)) for the first `count` elements of a tile, neighbouring ones by neighbouring work-items. Those of a
/// full tile are all loaded before the first is stored.
template <std::size_t items, std::size_t strip, class Load, class Store>
void move_tile(std::size_t local, std::size_t count, const Load &load, const Store &store) {
  if (count < items * strip) {
    for (std::size_t i = local; i < count; i += items) store(i, load(i));
    return;
  }
  std::remove_cvref_t<decltype(load(local))> loaded[strip];
#pragma unroll
  for (std::size_t k = 0; k < strip; ++k) loaded[k] = load(k * items + local);
#pragma unroll
  for (std::size_t k = 0; k < strip; ++k) store(k * items + local, loaded[k]);
}

/// Of a work-item: the sum of the values before its own in the work-group; and the sum of all.
template <class T> struct group_sums {
  maybe<T> before;
  T all;
};
/// The most sub-groups that scan_group expects.
inline constexpr std::size_t most_sub_groups = 64;

/// Scans the values of a work-group's first `count` work-items, at least one, by shuffles. The memory has
/// most_sub_groups elements.
template <class T, class Op>
group_sums<T> scan_group(const sycl::nd_item<1> &item, const T &mine, std::size_t count, T *memory, const Op &op) {
  const sycl::sub_group lanes = item.get_sub_group();
  const std::size_t width = lanes.get_max_local_range()[0], lane = lanes.get_local_linear_id();
  const std::size_t local = item.get_local_id(0), here = lanes.get_group_linear_id();
  const bool any = local < count;
  T sum = mine;
  for (std::size_t distance = 1; distance < width; distance *= 2) {
    const T other = sycl::shift_group_right(lanes, sum, static_cast<std::uint32_t>(distance));
    if (any && lane >= distance) sum = static_cast<T>(op(other, sum));
  }
  const std::size_t end = (here + 1) * width < count ? (here + 1) * width : count;
  if (local + 1 == end) memory[here] = sum;
  const T previous = sycl::shift_group_right(lanes, sum, 1);
  sycl::group_barrier(item.get_group());
  group_sums<T> sums{{T(), here > 0}, memory[0]};
  for (std::size_t g = 0;; ++g) {
    if (g + 1 == here) sums.before.value = sums.all;
    if ((g + 1) * width >= count) break;
    sums.all = static_cast<T>(op(sums.all, memory[g + 1]));
  }
  if (lane > 0 && any) {
    sums.before = {sums.before.any ? static_cast<T>(op(sums.before.value, previous)) : previous, true};
  }
  return sums;
}

template <class State> class tile_prefixes {
public:
  tile_prefixes(call &c, std::size_t tiles)
      : sums_(c.scratch<State>(2 * tiles)), prefixes_(sums_ + tiles), next_(c.scratch<std::uint32_t>(tiles + 1)) {
    c.fill_zero(next_, tiles + 1);
  }

  /// The tile that the work-group processes. Tiles are taken in order, so that those before it have been taken.
  std::size_t take(const sycl::nd_item<1> &item) const {
    std::uint32_t tile = 0;
    if (item.get_local_id(0) == 0) tile = flag(*next_).fetch_add(1);
    return sycl::group_broadcast(item.get_group(), tile, 0);
  }

  /// The sum of all tiles before `tile`, for all work-items of the group that has the tile's own sum.
  template <class Combine>
  maybe<State> before(const sycl::nd_item<1> &item, std::size_t tile, const State &own,
                      const maybe_combine<State, Combine> &add) const {
    maybe<State> sum{State(), false};
    if (item.get_local_id(0) == 0) publish(tile, tile ? sums_ : prefixes_, own, tile ? has_sum : has_prefix);
    if (tile == 0) return sum;
    if (item.get_sub_group().get_group_linear_id() == 0) {
      sum = look_back(item.get_sub_group(), tile, add);
      if (item.get_local_id(0) == 0) publish(tile, prefixes_, add(sum, {own, true}).value, has_prefix);
    }
    return {sycl::group_broadcast(item.get_group(), sum.value, 0), true};
  }

private:
  enum : std::uint32_t { nothing, has_sum, has_prefix };
  // About ten seconds. A group publishes nothing if an assertion in a function of the program ended its first
  // work-item.
  static constexpr int most_polls = 1 << 24;
  using flag = sycl::atomic_ref<std::uint32_t, sycl::memory_order::acq_rel, sycl::memory_scope::device>;

  std::uint32_t &state_of(std::size_t tile) const { return next_[1 + tile]; }

  void publish(std::size_t tile, State *to, const State &value, std::uint32_t what) const {
    to[tile] = value;
    flag(state_of(tile)).store(what, sycl::memory_order::release);
  }

  /// Each lane of the sub-group reads one of the tiles before, the last lane the nearest one.
  template <class Add> maybe<State> look_back(const sycl::sub_group &lanes, std::size_t tile, const Add &add) const {
    const auto count = static_cast<std::ptrdiff_t>(lanes.get_local_linear_range());
    const auto lane = static_cast<std::ptrdiff_t>(lanes.get_local_linear_id());
    maybe<State> all{State(), false};
    for (auto end = static_cast<std::ptrdiff_t>(tile);; end -= count) {
      const std::ptrdiff_t at = end - count + lane;
      maybe<State> mine{State(), false};
      std::uint32_t state = has_prefix;  // of what is before the first tile: nothing
      if (at >= 0) {
        state = nothing;
        for (int polls = 0; state == nothing && polls < most_polls; ++polls)
          state = flag(state_of(static_cast<std::size_t>(at))).load(sycl::memory_order::acquire);
        if (state == nothing)
          state = has_prefix;  // the results are lost with the assertion
        else
          mine = {state == has_prefix ? prefixes_[at] : sums_[at], true};
      }
      const int nearest =
          sycl::reduce_over_group(lanes, state == has_prefix ? static_cast<int>(lane) : -1, sycl::maximum<int>());
      if (lane < nearest) mine.any = false;
      const maybe<State> scanned = sycl::inclusive_scan_over_group(lanes, mine, add);
      const auto last = static_cast<std::size_t>(count - 1);
      all = add({sycl::group_broadcast(lanes, scanned.value, last), sycl::group_broadcast(lanes, scanned.any, last)},
                all);
      if (nearest >= 0) return all;
    }
  }

  State *sums_, *prefixes_;
  std::uint32_t *next_;  // the next tile to take; behind it, the states of tiles
};

}  // namespace oneapi::dpl::detail
