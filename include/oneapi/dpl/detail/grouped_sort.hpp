// A merge sort for GPUs: tiles are sorted in local memory, and merged through it.
//
// Green, McColl and Bader, "GPU Merge Path" (2012): merge paths give each tile of a result, and each strip of a
// work-item in it, its parts of both sequences.
#pragma once

#include <oneapi/dpl/detail/merge.hpp>
#include <oneapi/dpl/detail/tile_prefixes.hpp>
#include <sycl/group_algorithms.hpp>

namespace oneapi::dpl::detail {

template <class T, class Less> class grouped_merge_sort {
public:
  static constexpr bool is_possible =
      sizeof(T) <= 64 && std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>;

  /// Sorts data[0, n), stably. `spare` has as many elements. Returns that of both that has the result.
  static T *sort(call &c, T *data, T *spare, std::size_t n, const Less &less) {
    const std::size_t tiles = (n + length - 1) / length;
    c.for_each_group_with_memory<T>(tiles, items, length, [=](sycl::nd_item<1> item, T *memory) {
      const std::size_t start = item.get_group(0) * length;
      sort_tile(item, memory, data + start, n - start < length ? n - start : length, less);
    });
    std::size_t *const paths = tiles > 1 ? c.scratch<std::size_t>(tiles) : nullptr;
    for (std::size_t width = length; width < n; width *= 2) {
      // How many elements of the first run of the pair are before each tile of the result.
      c.for_each_index(tiles, [=](std::size_t tile) {
        const pair_of_runs pair(tile * length, width, n);
        const T *const first = data + pair.start, *const second = first + pair.first;
        paths[tile] = merge_path(first, pair.first, second, pair.second, tile * length - pair.start, less);
      });
      c.for_each_group_with_memory<T>(tiles, items, length, [=](sycl::nd_item<1> item, T *memory) {
        const std::size_t tile = item.get_group(0), start = tile * length;
        const pair_of_runs pair(start, width, n);
        const std::size_t diagonal = start - pair.start, rest = pair.first + pair.second - diagonal;
        const std::size_t count = rest < length ? rest : length;
        const std::size_t first = paths[tile], second = diagonal - first;
        // The next tile of the same pair begins where this one ends.
        const std::size_t first_count = (rest > length ? paths[tile + 1] : pair.first) - first;
        merge_tile(item, memory, data + pair.start + first, first_count, data + pair.start + pair.first + second,
                   count - first_count, spare + start, less);
      });
      std::swap(data, spare);
    }
    return data;
  }

private:
  static constexpr std::size_t items = 256, strip = sizeof(T) <= 8 ? 8 : sizeof(T) <= 16 ? 4 : sizeof(T) <= 32 ? 2 : 1;
  static constexpr std::size_t length = items * strip;  // of a tile

  /// The two neighbouring runs whose merged elements include element `at`.
  struct pair_of_runs {
    std::size_t start, first, second;  // the position, and the lengths of the runs

    pair_of_runs(std::size_t at, std::size_t width, std::size_t n) : start(at / (2 * width) * (2 * width)) {
      const std::size_t rest = n - start;
      first = rest < width ? rest : width;
      second = rest - first < width ? rest - first : width;
    }
  };

  /// The next elements of two sorted sequences, at most a strip.
  static std::size_t merge_strip(const T *a, std::size_t a_count, const T *b, std::size_t b_count, std::size_t diagonal,
                                 T (&merged)[strip], const Less &less) {
    const std::size_t all = a_count + b_count;
    if (diagonal >= all) return 0;
    std::size_t i = merge_path(a, a_count, b, b_count, diagonal, less), j = diagonal - i;
    const std::size_t count = all - diagonal < strip ? all - diagonal : strip;
#pragma unroll
    for (std::size_t k = 0; k < strip; ++k)
      if (k < count) {
        const bool from_b = i >= a_count || (j < b_count && less(b[j], a[i]));
        merged[k] = from_b ? b[j] : a[i];
        j += from_b;
        i += !from_b;
      }
    return count;
  }

  static void put_strip(T *memory, std::size_t first, const T (&values)[strip], std::size_t count) {
#pragma unroll
    for (std::size_t k = 0; k < strip; ++k)
      if (k < count) memory[first + k] = values[k];
  }

  static void sort_tile(const sycl::nd_item<1> &item, T *memory, T *data, std::size_t count, const Less &less) {
    const std::size_t local = item.get_local_id(0), first = local * strip;
    move_tile<items, strip>(
        local, count, [=](std::size_t i) { return data[i]; }, [=](std::size_t i, const T &x) { memory[i] = x; });
    sycl::group_barrier(item.get_group());
    T own[strip];
    const std::size_t mine = first < count ? (count - first < strip ? count - first : strip) : 0;
#pragma unroll
    for (std::size_t k = 0; k < strip; ++k)
      if (k < mine) own[k] = memory[first + k];
#pragma unroll
    for (std::size_t round = 0; round < strip; ++round)  // an odd-even transposition sort, which is stable
#pragma unroll
      for (std::size_t k = round % 2; k + 1 < strip; k += 2)
        if (k + 1 < mine && less(own[k + 1], own[k])) {
          const T larger = own[k];
          own[k] = own[k + 1];
          own[k + 1] = larger;
        }
    put_strip(memory, first, own, mine);
    sycl::group_barrier(item.get_group());
    for (std::size_t width = strip; width < length; width *= 2) {
      std::size_t merged = 0;
      if (first < count) {
        const pair_of_runs pair(first, width, count);
        const T *const run = memory + pair.start;
        merged = merge_strip(run, pair.first, run + pair.first, pair.second, first - pair.start, own, less);
      }
      sycl::group_barrier(item.get_group());
      put_strip(memory, first, own, merged);
      sycl::group_barrier(item.get_group());
    }
    move_tile<items, strip>(
        local, count, [=](std::size_t i) { return memory[i]; }, [=](std::size_t i, const T &x) { data[i] = x; });
  }

  static void merge_tile(const sycl::nd_item<1> &item, T *memory, const T *a, std::size_t a_count, const T *b,
                         std::size_t b_count, T *result, const Less &less) {
    const std::size_t local = item.get_local_id(0), count = a_count + b_count;
    move_tile<items, strip>(
        local, count, [=](std::size_t i) { return i < a_count ? a[i] : b[i - a_count]; },
        [=](std::size_t i, const T &x) { memory[i] = x; });
    sycl::group_barrier(item.get_group());
    T merged[strip];
    const std::size_t mine = merge_strip(memory, a_count, memory + a_count, b_count, local * strip, merged, less);
    sycl::group_barrier(item.get_group());
    put_strip(memory, local * strip, merged, mine);
    sycl::group_barrier(item.get_group());
    move_tile<items, strip>(
        local, count, [=](std::size_t i) { return memory[i]; }, [=](std::size_t i, const T &x) { result[i] = x; });
  }
};

}  // namespace oneapi::dpl::detail
