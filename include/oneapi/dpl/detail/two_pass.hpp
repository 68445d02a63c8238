// Scans of blocks in two passes: a summary of each block, and results that need the summary of all blocks before.
//
// Scans, compactions and reductions by segment are such algorithms. On CPUs a block stays in the cache of its core
// between the passes, so that memory is read once: blocks are taken in order, and each waits for the one before, which
// runs already. On GPUs a work-item has a short strip, and work-groups find their prefixes in the same pass.
#pragma once

#include <bit>

#include <oneapi/dpl/detail/tile_prefixes.hpp>

namespace oneapi::dpl::detail {

/// The kernel for CPUs.
template <class State, class Summary, class Combine, class Emit> struct ordered_blocks {
  static constexpr int most_polls = 1 << 20;
  using flag = sycl::atomic_ref<std::uint32_t, sycl::memory_order::acq_rel, sycl::memory_scope::device>;

  std::size_t n, length, blocks;
  Summary summarize;
  Combine combine;
  Emit emit;
  State *prefixes;         // of the blocks up to each, itself included; null for a single block
  std::uint32_t *next;     // the next block to take
  std::uint32_t *is_done;  // whether prefixes[i] is there
  bool with_total;

  void operator()(std::size_t) const {
    const std::size_t b = blocks > 1 ? flag(*next).fetch_add(1) : 0;
    maybe<State> before{};
    if (b && is_ready(b - 1))  // the usual case with one thread: the sum comes with the results
      before = {prefixes[b - 1], true};
    const std::size_t first = first_of(b), last = first_of(b + 1);
    if (blocks > 1 && (with_total || b + 1 < blocks)) {
      State sum = summarize(first, last);
      if (b && !before.any) before = {prefix_of(b - 1), true};
      if (before.any) sum = combine(before.value, sum);
      prefixes[b] = sum;
      flag(is_done[b]).store(1, sycl::memory_order::release);
      // `emit` may overwrite elements: prefix_of of another block, if it reads them, must see the store.
      sycl::atomic_fence(sycl::memory_order::release, sycl::memory_scope::device);
    } else if (b && !before.any) {
      before = {prefix_of(b - 1), true};
    }
    if (blocks == 1 && with_total) *prefixes = summarize(first, last);
    emit(first, last, before);
  }

private:
  std::size_t first_of(std::size_t b) const { return b * length < n ? b * length : n; }
  bool is_ready(std::size_t b) const { return flag(is_done[b]).load(sycl::memory_order::acquire) != 0; }
  /// Waits for the block. If it ended without a result, by an error in a function of the program, computes it.
  State prefix_of(std::size_t b) const {
    for (int i = 0; i < most_polls; ++i)
      if (is_ready(b)) return prefixes[b];
    maybe<State> sum{};
    for (;; --b) {
      const State own = summarize(first_of(b), first_of(b + 1));
      // A block that was completed meanwhile may have overwritten its elements. Without a fence, they could be read
      // after the flag.
      sycl::atomic_fence(sycl::memory_order::acquire, sycl::memory_scope::device);
      const bool is_complete = is_ready(b);
      const State &here = is_complete ? prefixes[b] : own;
      sum = {sum.any ? combine(here, sum.value) : here, true};
      if (b == 0 || is_complete) return sum.value;
    }
  }
};

template <class State, class Summary, class Combine, class Emit>
State *ordered_pass(call &c, std::size_t n, const Summary &summarize, const Combine &combine, const Emit &emit,
                    bool with_total) {
  const std::size_t length = block_length(c, n, 1 << 14), blocks = blocks_of(n, length);
  ordered_blocks<State, Summary, Combine, Emit> kernel{n,    length,  blocks,  summarize, combine,
                                                       emit, nullptr, nullptr, nullptr,   with_total};
  if (blocks > 1 || with_total) kernel.prefixes = c.scratch<State>(blocks);
  if (blocks > 1) {
    kernel.next = c.scratch<std::uint32_t>(blocks + 1);
    kernel.is_done = kernel.next + 1;
    c.fill_zero(kernel.next, blocks + 1);
  }
  c.for_each_block(blocks, kernel);
  return with_total ? kernel.prefixes + blocks - 1 : nullptr;
}

/// The kernel for GPUs.
template <class State, class Summary, class Combine, class Emit>
State *grouped_pass(call &c, std::size_t n, const Summary &summarize, const Combine &combine, const Emit &emit) {
  constexpr std::size_t items = 256, strip = 8, length = items * strip;
  const std::size_t tiles = blocks_of(n, length);
  using value = maybe<State>;
  const maybe_combine<State, Combine> add{combine};
  const tile_prefixes<State> prefixes(c, tiles);
  State *const total = c.scratch<State>(1);
  c.for_each_group(tiles, items, [=](sycl::nd_item<1> item) {
    const std::size_t tile = prefixes.take(item), local = item.get_local_id(0);
    const std::size_t first = tile * length + local * strip, last = first + strip < n ? first + strip : n;
    value mine{State(), false};
    if (first < n) mine = {summarize(first, last), true};
    const value inside = sycl::exclusive_scan_over_group(item.get_group(), mine, value{State(), false}, add);
    const State own = sycl::group_broadcast(item.get_group(), add(inside, mine).value, items - 1);
    const value before = prefixes.before(item, tile, own, add);
    if (tile + 1 == tiles && local == 0) *total = add(before, {own, true}).value;
    if (first < n) emit(first, last, add(before, inside));
  });
  return total;
}

/// summarize(first, last) returns the summary of elements; combine(a, b) that of a's and b's elements;
/// emit(first, last, before) writes the results of elements behind those of `before`. Returns the device address of the
/// summary of all, if `with_total`; n is at least 1.
template <class State, class Summary, class Combine, class Emit>
State *two_pass(call &c, std::size_t n, const Summary &summarize, const Combine &combine, const Emit &emit,
                bool with_total = false) {
  if (c.on_host()) return ordered_pass<State>(c, n, summarize, combine, emit, with_total);
  return grouped_pass<State>(c, n, summarize, combine, emit);
}

/// The kernel of `compact` for GPUs. A sub-group tests adjacent elements, in steps of several for each work-item, and
/// counts those that are kept by one scan for four steps. Numbers, whose test is of their value, are loaded as vectors
/// and pass through local memory; of other elements, their places in the tile do. Neighbouring work-items write
/// neighbouring elements.
template <bool by_value, class Keep, class From, class To> struct tile_compaction {
  using value = std::remove_cvref_t<decltype(std::declval<const From &>()[std::ptrdiff_t{}])>;
  using entry = std::conditional_t<by_value, value, std::uint16_t>;
  static constexpr std::uint32_t items = 256, steps = 4, lanes = 4, strip = steps * lanes, length = items * strip;
  static constexpr std::uint32_t bits = 8;  // of a step's count, at most that of the elements of 63 work-items
  static constexpr std::size_t counts_bytes = most_sub_groups * sizeof(std::uint32_t);
  static constexpr std::size_t elements = length + counts_bytes / sizeof(entry);  // of local memory

  std::size_t n, tiles;
  Keep keep;
  From from;
  To to;
  std::uint64_t *total;
  tile_prefixes<std::uint64_t> prefixes;

  void operator()(const sycl::nd_item<1> &item, entry *memory) const {
    const std::size_t tile = prefixes.take(item), rest = n - tile * length;
    if (rest >= length)
      compact_tile(item, memory, tile, std::integral_constant<std::uint32_t, length>());
    else
      compact_tile(item, memory, tile, static_cast<std::uint32_t>(rest));
  }

private:
  static std::uint32_t of_step(std::uint32_t counts, std::uint32_t k) {
    return counts >> (k * bits) & ((1u << bits) - 1);
  }

  template <class Size>
  void compact_tile(const sycl::nd_item<1> &item, entry *memory, std::size_t tile, Size size) const {
    const group_place place(item);
    const std::uint32_t step = place.width * lanes, first = place.sub_group * (steps * step) + place.lane * lanes;
    entry entries[strip];
    const std::uint32_t kept = test_elements(tile * length, first, step, size, entries);
    std::uint32_t counts = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < steps; ++k)
      counts |= static_cast<std::uint32_t>(std::popcount(kept >> (k * lanes) & ((1u << lanes) - 1))) << (k * bits);
    std::uint32_t up_to = counts;
    sycl::detail::for_doubling_distances([&](std::uint32_t distance) {
      const std::uint32_t other = sycl::detail::sub_group_shuffle(up_to, place.lane_before(distance));
      if (place.lane >= distance) up_to += other;
    });
    const std::uint32_t of_steps = sycl::detail::sub_group_shuffle(up_to, place.width - 1), before = up_to - counts;
    std::uint32_t *const of_sub_groups = reinterpret_cast<std::uint32_t *>(memory + length);
    std::uint32_t of_sub_group = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < steps; ++k) of_sub_group += of_step(of_steps, k);
    if (place.lane == 0) of_sub_groups[place.sub_group] = of_sub_group;
    sycl::group_barrier(item.get_group());
    std::uint32_t all = 0, at = 0;
    for (std::uint32_t g = 0; g * place.width < items; ++g) {
      if (g == place.sub_group) at = all;
      all += of_sub_groups[g];
    }
#pragma unroll
    for (std::uint32_t k = 0; k < steps; ++k) {
      std::uint32_t target = at + of_step(before, k);
#pragma unroll
      for (std::uint32_t l = 0; l < lanes; ++l)
        if (kept >> (k * lanes + l) & 1) memory[target++] = entries[k * lanes + l];
      at += of_step(of_steps, k);
    }
    const maybe_combine<std::uint64_t, std::plus<std::uint64_t>> add{};
    const maybe<std::uint64_t> tiles_before = prefixes.before(item, tile, all, add);
    const std::size_t begin = tiles_before.any ? tiles_before.value : 0;
    if (tile + 1 == tiles && place.local == 0) *total = begin + all;
    put_elements(place.local, all, memory, tile * length, begin);
  }

  /// A bit for each element of a work-item that is kept, and what local memory has of it.
  template <class Size>
  std::uint32_t test_elements(std::size_t start, std::uint32_t first, std::uint32_t step, Size size,
                              entry (&entries)[strip]) const {
    constexpr bool is_whole = !std::is_same_v<Size, std::uint32_t>;
    std::uint32_t kept = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < steps; ++k) {
      const std::uint32_t of_step = first + k * step;
      const auto test = [&](std::uint32_t l, bool keeps) { kept |= (keeps ? 1u : 0u) << (k * lanes + l); };
      if constexpr (by_value && is_whole) {
        constexpr std::uint32_t loaded = Keep::lanes;
#pragma unroll
        for (std::uint32_t part = 0; part < lanes; part += loaded)
          keep.load.template load_adjacent<loaded>(start + of_step + part, [&](std::size_t l, auto &x) {
            entries[k * lanes + part + l] = x;
            test(part + static_cast<std::uint32_t>(l), static_cast<bool>(keep.f(x)));
          });
      } else {
#pragma unroll
        for (std::uint32_t l = 0; l < lanes; ++l)
          if (is_whole || of_step + l < size) {
            if constexpr (by_value)
              entries[k * lanes + l] = keep.load(start + of_step + l);
            else
              entries[k * lanes + l] = static_cast<std::uint16_t>(of_step + l);
            test(l, static_cast<bool>(keep(start + of_step + l)));
          }
      }
    }
    return kept;
  }

  /// The first `count` entries of local memory become results. Several elements are loaded before one is stored, since
  /// the compiler cannot know that the loads do not depend on the stores.
  void put_elements(std::uint32_t local, std::uint32_t count, const entry *memory, std::size_t start,
                    std::size_t begin) const {
    constexpr std::uint32_t together = 4;
    const auto element = [=, this](std::uint32_t k) -> decltype(auto) {
      if constexpr (by_value)
        return memory[k];
      else
        return from[static_cast<std::ptrdiff_t>(start + memory[k])];
    };
    const auto target = [=](std::uint32_t k) { return static_cast<std::ptrdiff_t>(begin + k); };
    std::uint32_t k = local;
    if constexpr (sizeof(value) <= 16 && std::is_trivially_copyable_v<value> &&
                  std::is_trivially_default_constructible_v<value>) {
      for (; k + (together - 1) * items < count; k += together * items) {
        value loaded[together];
#pragma unroll
        for (std::uint32_t j = 0; j < together; ++j) loaded[j] = element(k + j * items);
#pragma unroll
        for (std::uint32_t j = 0; j < together; ++j) to[target(k + j * items)] = loaded[j];
      }
    }
    for (; k < count; k += items) to[target(k)] = element(k);
  }
};

/// `compact` on GPUs. Returns the address of the number of elements.
template <class Keep, class From, class To>
std::uint64_t *grouped_compact(call &c, std::size_t n, const Keep &keep, const From &from, const To &to) {
  const auto launch = [&]<bool by_value>() {
    using kernel = tile_compaction<by_value, Keep, From, To>;
    const std::size_t tiles = blocks_of(n, kernel::length);
    std::uint64_t *const total = c.result<std::uint64_t>();
    c.for_each_group_with_memory<typename kernel::entry>(
        tiles, kernel::items, kernel::elements,
        kernel{n, tiles, keep, from, to, total, tile_prefixes<std::uint64_t>(c, tiles)});
    return total;
  };
  if constexpr (is_test_of_numbers<Keep>)
    if (keep.is_aligned(Keep::lanes)) return launch.template operator()<true>();
  return launch.template operator()<false>();
}

/// Copies the elements i of `from` for which keep(i), in order. Returns their number.
template <class Keep, class From, class To>
std::size_t compact(call &c, std::size_t n, const Keep &keep, const From &from, const To &to) {
  if (!n) return 0;
  if (!c.on_host()) {
    const std::uint64_t *const kept = grouped_compact(c, n, keep, from, to);
    c.wait_for_host();
    return *kept;
  }
  const auto put = [=](std::size_t i, std::size_t to_i) {
    to[static_cast<std::ptrdiff_t>(to_i)] = from[static_cast<std::ptrdiff_t>(i)];
  };
  const auto count = [=](std::size_t first, std::size_t last) {
    std::uint64_t kept = 0;
    for (std::size_t i = first; i < last; ++i) kept += keep(i) ? 1 : 0;
    return kept;
  };
  const auto emit = [=](std::size_t first, std::size_t last, const maybe<std::uint64_t> &before) {
    std::uint64_t at = before.any ? before.value : 0;
    constexpr std::size_t tile = 32;  // whose kept elements are found without branches, which would be mispredicted
    std::size_t i = first;
    for (; i + tile <= last; i += tile) {
      std::uint8_t kept[tile + 1];
      std::size_t count = 0;
      for (std::size_t k = 0; k < tile; ++k) {
        kept[count] = static_cast<std::uint8_t>(k);
        count += keep(i + k) ? 1 : 0;
      }
      for (std::size_t k = 0; k < count; ++k) put(i + kept[k], at + k);
      at += count;
    }
    for (; i < last; ++i)
      if (keep(i)) put(i, at++);
  };
  std::uint64_t total = 0;
  c.fetch(
      two_pass<std::uint64_t>(c, n, count, [](std::uint64_t a, std::uint64_t b) { return a + b; }, emit, true), &total);
  return total;
}

}  // namespace oneapi::dpl::detail
