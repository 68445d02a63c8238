// A merge sort for GPUs: tiles are sorted in local memory, and merged through it.
//
// Green, McColl and Bader, "GPU Merge Path" (2012): merge paths give each tile of a result, and each strip of a
// work-item in it, its parts of both sequences.
#pragma once

#include <bit>

#include <oneapi/dpl/detail/merge.hpp>
#include <oneapi/dpl/detail/tile_prefixes.hpp>

namespace oneapi::dpl::detail {

template <class T, class Less> class grouped_merge_sort {
public:
  static constexpr bool is_possible =
      sizeof(T) <= 64 && std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>;

  /// Sorts data[0, n), stably. `spare` has as many elements. Returns that of both that has the result: `data`.
  static T *sort(call &c, T *data, T *spare, std::size_t n, const Less &less) {
    const std::size_t tiles = (n + length - 1) / length;
    const auto passes = static_cast<unsigned>(std::bit_width(tiles - 1));
    T *from = data, *to = passes % 2 ? spare : data;  // so that the last pass writes to `data`
    c.for_each_group_with_memory<T>(tiles, items, elements, [=](const sycl::nd_item<1> &item, T *memory) {
      const std::size_t start = item.get_group(0) * length, rest = n - start;
      if (rest >= length)
        sort_tile(item, memory, from + start, to + start, whole_tile(), less);
      else
        sort_tile(item, memory, from + start, to + start, static_cast<index>(rest), less);
    });
    std::size_t *const paths = passes ? c.scratch<std::size_t>(tiles) : nullptr;
    for (unsigned pass = 0; pass < passes; ++pass) {
      from = to;
      to = to == data ? spare : data;
      // How many elements of the first run of the pair are before each tile of the result.
      c.for_each_index(tiles, [=](std::size_t tile) {
        const pair_of_runs pair(tile, pass, n);
        const T *const first = from + pair.start, *const second = first + pair.first;
        paths[tile] = merge_path(first, pair.first, second, pair.second, tile * length - pair.start, less);
      });
      c.for_each_group_with_memory<T>(tiles, items, elements, [=](const sycl::nd_item<1> &item, T *memory) {
        const std::size_t tile = item.get_group(0), start = tile * length;
        const pair_of_runs pair(tile, pass, n);
        const std::size_t diagonal = start - pair.start, rest = pair.first + pair.second - diagonal;
        const std::size_t first = paths[tile], second = diagonal - first;
        // The next tile of the same pair begins where this one ends.
        const auto first_count = static_cast<index>((rest > length ? paths[tile + 1] : pair.first) - first);
        const T *const a = from + pair.start + first, *const b = from + pair.start + pair.first + second;
        if (rest >= length)
          merge_tile(item, memory, a, first_count, b, to + start, whole_tile(), less);
        else
          merge_tile(item, memory, a, first_count, b, to + start, static_cast<index>(rest), less);
      });
    }
    return to;
  }

private:
  using index = std::uint32_t;  // of elements in a tile
  // Odd strips begin in different banks of local memory.
  static constexpr index items = 256;
  static constexpr index strip = sizeof(T) <= 4    ? 17
                                 : sizeof(T) <= 8  ? 15
                                 : sizeof(T) <= 16 ? 7
                                 : sizeof(T) <= 32 ? 3
                                                   : 1;
  static constexpr index length = items * strip;  // of a tile
  static constexpr index elements = length + 1;   // of local memory: merges load the one behind a sequence
  using whole_tile = std::integral_constant<index, length>;

  /// The two neighbouring runs, of 2^pass tiles each, whose merged elements include those of a tile.
  struct pair_of_runs {
    std::size_t start, first, second;  // the position, and the lengths of the runs

    pair_of_runs(std::size_t tile, unsigned pass, std::size_t n) : start((tile >> (pass + 1) << (pass + 1)) * length) {
      const std::size_t rest = n - start, width = std::size_t{length} << pass;
      first = rest < width ? rest : width;
      second = rest - first < width ? rest - first : width;
    }
  };

  /// merge_path in local memory.
  static index local_path(const T *a, index a_count, const T *b, index b_count, index diagonal, const Less &less) {
    index low = diagonal > b_count ? diagonal - b_count : 0, high = diagonal < a_count ? diagonal : a_count;
    while (low < high) {
      const index middle = (low + high) / 2;
      if (less(b[diagonal - middle - 1], a[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  /// The next elements of two sorted sequences in local memory, a strip of them: of [a, b) and [b, end).
  template <bool whole>
  static void merge_strip(const T *memory, index a, index b, index end, index diagonal, T (&merged)[strip],
                          const Less &less) {
    if (!whole && a + diagonal >= end) return;
    const index count = end - a;
    const index a_end = b, path = local_path(memory + a, b - a, memory + b, end - b, diagonal, less);
    a += path;
    b += diagonal - path;
    T of_a = memory[a], of_b = memory[b];
#pragma unroll
    for (index k = 0; k < strip; ++k)
      if (whole || diagonal + k < count) {
        // Without branches, of which a sub-group would execute both sides. What follows a sequence is an element, too.
        const bool is_less = less(of_b, of_a), from_b = (b < end) & ((a >= a_end) | is_less);
        merged[k] = from_b ? of_b : of_a;
        a += !from_b;
        b += from_b;
        if (k + 1 < strip) {
          const T next = memory[from_b ? b : a];
          of_a = from_b ? of_a : next;
          of_b = from_b ? next : of_b;
        }
      }
  }

  template <bool whole> static void put_strip(T *memory, index first, const T (&values)[strip], index count) {
#pragma unroll
    for (index k = 0; k < strip; ++k)
      if (whole || first + k < count) memory[first + k] = values[k];
  }
  /// Loads a tile into local memory, and another element behind it, which merges compare but do not take.
  template <class Load> static void load_tile(const sycl::nd_item<1> &item, T *memory, index count, const Load &load) {
    const auto local = static_cast<index>(item.get_local_id(0));
    move_tile<items, strip>(local, count, load, [=](index i, const T &x) { memory[i] = x; });
    if (local == 0) memory[count] = load(0);
    sycl::group_barrier(item.get_group());
  }
  static void store_tile(index local, const T *memory, T *to, index count) {
    move_tile<items, strip>(local, count, [=](index i) { return memory[i]; }, [=](index i, const T &x) { to[i] = x; });
  }

  template <class Count>
  static void sort_tile(const sycl::nd_item<1> &item, T *memory, const T *from, T *to, Count count, const Less &less) {
    constexpr bool whole = std::is_same_v<Count, whole_tile>;
    const auto local = static_cast<index>(item.get_local_id(0)), first = local * strip;
    load_tile(item, memory, count, [=](index i) { return from[i]; });
    T own[strip];
#pragma unroll
    for (index k = 0; k < strip; ++k)
      if (whole || first + k < count) own[k] = memory[first + k];
#pragma nounroll
    for (index round = 0; round < strip; round += 2)  // an odd-even transposition sort, which is stable
#pragma unroll
      for (index parity = 0; parity < 2; ++parity)
#pragma unroll
        for (index k = parity; k + 1 < strip; k += 2)
          if (whole || first + k + 1 < count) {
            const bool is_less = less(own[k + 1], own[k]);
            const T first_one = own[k], second = own[k + 1];
            own[k] = is_less ? second : first_one;
            own[k + 1] = is_less ? first_one : second;
          }
    put_strip<whole>(memory, first, own, count);
    sycl::group_barrier(item.get_group());
    for (index runs = 1; runs < items; runs *= 2) {
      const index start = local / (2 * runs) * (2 * runs) * strip, middle = start + runs * strip,
                  end = middle + runs * strip;
      merge_strip<whole>(memory, start, middle < count ? middle : count, end < count ? end : count, first - start, own,
                         less);
      sycl::group_barrier(item.get_group());
      put_strip<whole>(memory, first, own, count);
      sycl::group_barrier(item.get_group());
    }
    store_tile(local, memory, to, count);
  }

  template <class Count>
  static void merge_tile(const sycl::nd_item<1> &item, T *memory, const T *a, index a_count, const T *b, T *to,
                         Count count, const Less &less) {
    constexpr bool whole = std::is_same_v<Count, whole_tile>;
    const auto local = static_cast<index>(item.get_local_id(0));
    load_tile(item, memory, count, [=](index i) { return i < a_count ? a[i] : b[i - a_count]; });
    T merged[strip];
    merge_strip<whole>(memory, 0, a_count, count, local * strip, merged, less);
    sycl::group_barrier(item.get_group());
    put_strip<whole>(memory, local * strip, merged, count);
    sycl::group_barrier(item.get_group());
    store_tile(local, memory, to, count);
  }
};

}  // namespace oneapi::dpl::detail
