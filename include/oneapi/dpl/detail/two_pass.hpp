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

/// `compact` on GPUs: neighbouring work-items test and write neighbouring elements. Returns the address of the number.
template <class Keep, class Put>
std::uint64_t *grouped_compact(call &c, std::size_t n, const Keep &keep, const Put &put) {
  constexpr std::size_t items = 256, strip = 16, length = items * strip;
  const std::size_t tiles = blocks_of(n, length);
  using sum = std::plus<std::uint64_t>;
  const tile_prefixes<std::uint64_t> prefixes(c, tiles);
  std::uint64_t *const total = c.scratch<std::uint64_t>(1);
  // The results of the tests are overwritten by the numbers of the elements that are kept.
  c.for_each_group_with_memory<std::uint16_t>(tiles, items, length, [=](sycl::nd_item<1> item, std::uint16_t *memory) {
    const std::size_t tile = prefixes.take(item), local = item.get_local_id(0), start = tile * length;
    const std::size_t size = n - start < length ? n - start : length;
    move_tile<items, strip>(
        local, size, [=](std::size_t i) { return static_cast<std::uint16_t>(keep(start + i) ? 1 : 0); },
        [=](std::size_t i, std::uint16_t kept) { memory[i] = kept; });
    for (std::size_t i = size + local; i < length; i += items) memory[i] = 0;
    sycl::group_barrier(item.get_group());
    std::uint32_t kept = 0;  // a bit for each element of the strip
    for (std::size_t k = 0; k < strip; ++k) kept |= std::uint32_t{memory[local * strip + k]} << k;
    const auto count = static_cast<std::uint32_t>(std::popcount(kept));
    std::uint32_t at = sycl::exclusive_scan_over_group(item.get_group(), count, sycl::plus<std::uint32_t>());
    const std::uint32_t all = sycl::group_broadcast(item.get_group(), at + count, items - 1);
    for (std::size_t k = 0; k < strip; ++k)  // behind the barriers of the scan
      if (kept >> k & 1) memory[at++] = static_cast<std::uint16_t>(local * strip + k);
    const maybe<std::uint64_t> before = prefixes.before(item, tile, all, maybe_combine<std::uint64_t, sum>{});
    const std::uint64_t first = before.any ? before.value : 0;
    if (tile + 1 == tiles && local == 0) *total = first + all;
    sycl::group_barrier(item.get_group());
#pragma unroll 4
    for (std::size_t k = local; k < all; k += items) put(start + memory[k], first + k);
  });
  return total;
}

/// Writes the elements i for which keep(i), in order: put(i, position). Returns their number.
template <class Keep, class Put> std::size_t compact(call &c, std::size_t n, const Keep &keep, const Put &put) {
  if (!n) return 0;
  if (!c.on_host()) {
    std::uint64_t kept = 0;
    c.fetch(grouped_compact(c, n, keep, put), &kept);
    return kept;
  }
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
