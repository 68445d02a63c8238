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
template <std::uint32_t items, std::uint32_t strip, class Load, class Store>
void move_tile(std::uint32_t local, std::uint32_t count, const Load &load, const Store &store) {
  if (count < items * strip) {
    for (std::uint32_t i = local; i < count; i += items) store(i, load(i));
    return;
  }
  std::remove_cvref_t<decltype(load(local))> loaded[strip];
#pragma unroll
  for (std::uint32_t k = 0; k < strip; ++k) loaded[k] = load(k * items + local);
#pragma unroll
  for (std::uint32_t k = 0; k < strip; ++k) store(k * items + local, loaded[k]);
}

/// The most sub-groups of a work-group that takes tiles.
inline constexpr std::size_t most_sub_groups = 64;
/// A work-item's place in its work-group.
struct group_place {
  std::uint32_t local, width, lane, sub_group;  // width: work-items of a sub-group

  explicit group_place(const sycl::nd_item<1> &item)
      : local(static_cast<std::uint32_t>(item.get_local_id(0))),
        width(__dpep_sub_group_max_size()),
        lane(__dpep_sub_group_local_id()),
        sub_group(__dpep_sub_group_id()) {}

  /// The lane at a distance before this one; if there is none, any. GPUs shuffle at constant distances by an
  /// instruction.
  std::uint32_t lane_before(std::uint32_t distance) const {
    return __dpep_has_fast_shuffles() || lane >= distance ? lane - distance : lane;
  }
};

/// What work-groups keep in local memory for all of their work-items.
struct taken_tile {
  std::uint32_t number;
};
template <class State> struct prefix_of_tile {
  State sum;
};

template <class State> class tile_prefixes {
public:
  tile_prefixes(call &c, std::size_t tiles) : next_(c.scratch<std::uint64_t>(1 + tiles * words)) {
    c.fill_zero(next_, 1 + tiles * words);
  }

  /// The tile that the work-group processes. Tiles are taken in order, so that those before it have been taken.
  std::size_t take(const sycl::nd_item<1> &item) const {
    taken_tile *const taken = sycl::detail::shared_result<taken_tile>();
    if (item.get_local_id(0) == 0) taken->number = static_cast<std::uint32_t>(word(*next_).fetch_add(1));
    sycl::group_barrier(item.get_group());
    return taken->number;
  }

  /// The sum of all tiles before `tile`, for all work-items of the group. `own` is the tile's own sum, which is
  /// published unless no tile follows. A barrier precedes the results.
  template <class Combine>
  maybe<State> before(const sycl::nd_item<1> &item, std::size_t tile, const State &own,
                      const maybe_combine<State, Combine> &add, bool publishes = true) const {
    prefix_of_tile<State> *const prefix = sycl::detail::shared_result<prefix_of_tile<State>>();
    const group_place place(item);
    if (place.sub_group == 0) {
      if (place.lane == 0 && publishes) publish(tile, own, tile ? has_sum : has_prefix);
      if (tile) {
        __dpep_pause(first_pause);
        const State sum = look_back(place, tile, add.op);
        if (place.lane == 0) {
          if (publishes) publish(tile, static_cast<State>(add.op(sum, own)), has_prefix);
          prefix->sum = sum;
        }
      }
    }
    sycl::group_barrier(item.get_group());
    if (tile == 0) return {State(), false};
    return {prefix->sum, true};
  }

private:
  enum status : std::uint32_t { nothing, has_sum, has_prefix };
  // About ten seconds. A group publishes nothing if an assertion in a function of the program ended its first
  // work-item.
  static constexpr int most_polls = 1 << 24;
  // Nanoseconds before the first look and after one that found nothing: looks that find nothing slow down the tiles
  // that are waited for. On an H200, scans of 100,000,000 elements take 0.95 of the time without pauses.
  static constexpr std::uint32_t first_pause = 700, poll_pause = 100;
  // A state is published in parts of 32 bits, each in one word with the status. Words are read and written atomically,
  // so that no other order is needed.
  static constexpr std::size_t words = (sizeof(State) + 3) / 4;
  using word = sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;

  std::uint64_t *words_of(std::size_t tile) const { return next_ + 1 + tile * words; }

  void publish(std::size_t tile, const State &value, status what) const {
    std::uint32_t parts[words] = {};
    __builtin_memcpy(parts, &value, sizeof value);
#pragma unroll
    for (std::size_t k = 0; k < words; ++k) word(words_of(tile)[k]).store(std::uint64_t{what} << 32 | parts[k]);
  }
  /// What a tile has published, or nothing if it does not. CPUs, which run the kernels in tests, wait without a bound,
  /// since other work-items run where the JIT finds that one waits.
  std::uint32_t wait_for(std::size_t tile, State &value) const {
    const bool is_bounded = __dpep_has_fast_shuffles();
    std::uint32_t found = nothing;
    for (int polls = 0; found == nothing && !(is_bounded && polls >= most_polls); ++polls) {
      if (!is_bounded)
        while (word(*words_of(tile)).load() == 0) {}
      if (polls) __dpep_pause(poll_pause);
      found = read(tile, value);
    }
    return found;
  }
  /// Nothing if parts of a sum and of a prefix were read.
  std::uint32_t read(std::size_t tile, State &value) const {
    std::uint64_t all[words];
    std::uint32_t parts[words];
#pragma unroll
    for (std::size_t k = 0; k < words; ++k) all[k] = word(words_of(tile)[k]).load();
    auto status = static_cast<std::uint32_t>(all[0] >> 32);
#pragma unroll
    for (std::size_t k = 0; k < words; ++k) {
      parts[k] = static_cast<std::uint32_t>(all[k]);
      if (all[k] >> 32 != all[0] >> 32) status = nothing;
    }
    __builtin_memcpy(&value, parts, sizeof value);
    return status;
  }

  /// Each lane of the sub-group reads one of the tiles before, the last lane the nearest one.
  template <class Op> State look_back(const group_place &place, std::size_t tile, const Op &op) const {
    using sycl::detail::sub_group_shuffle;
    const std::uint32_t last = place.width - 1;
    maybe<State> all{State(), false};
    for (std::size_t end = tile;; end -= place.width) {
      State sum = State();
      std::uint32_t is_complete = 1;  // whether nothing before `sum` is missing
      if (end + place.lane >= place.width) {
        is_complete = wait_for(end + place.lane - place.width, sum) != has_sum;  // nothing: the results are lost
      }
      __dpep_sub_group_barrier();  // work-items that have waited in the loop are behind the others
      sycl::detail::for_doubling_distances([&](std::uint32_t distance) {
        const std::uint32_t from = place.lane_before(distance);
        const State other = sub_group_shuffle(sum, from);
        const std::uint32_t other_is_complete = sub_group_shuffle(is_complete, from);
        if (place.lane >= distance && !is_complete) {
          sum = static_cast<State>(op(other, sum));
          is_complete = other_is_complete;
        }
      });
      const State window = sub_group_shuffle(sum, last);
      all = {all.any ? static_cast<State>(op(window, all.value)) : window, true};
      if (sub_group_shuffle(is_complete, last)) return all.value;
    }
  }

  std::uint64_t *next_;  // the next tile to take; behind it, what tiles have published
};

}  // namespace oneapi::dpl::detail
