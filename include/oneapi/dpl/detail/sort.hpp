// Sorts: numbers in memory by the library, everything else by merges.
#pragma once

#include <cstdint>
#include <functional>

#include <dpep/memory_sorting.hpp>

#include <oneapi/dpl/detail/grouped_sort.hpp>

namespace oneapi::dpl::detail {

/// The element type of numbers that the library sorts.
template <class T>
inline constexpr bool is_library_number =
    (std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>) && sizeof(T) <= 8;
template <class T> constexpr dpep::dtype library_type() {
  using enum dpep::dtype;
  if constexpr (std::is_same_v<T, float>) return float32;
  if constexpr (std::is_same_v<T, double>) return float64;
  if constexpr (std::is_same_v<T, bool>) return boolean;
  constexpr bool is_signed = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) return is_signed ? int8 : uint8;
  if constexpr (sizeof(T) == 2) return is_signed ? int16 : uint16;
  if constexpr (sizeof(T) == 4) return is_signed ? int32 : uint32;
  return is_signed ? int64 : uint64;
}
template <class Less, class T>
inline constexpr bool is_ascending = std::is_same_v<Less, std::less<T>> || std::is_same_v<Less, std::less<>>;
template <class Less, class T>
inline constexpr bool is_descending = std::is_same_v<Less, std::greater<T>> || std::is_same_v<Less, std::greater<>>;
/// Whether the library sorts what the iterator refers to in this order.
template <class It, class Less> inline constexpr bool sorts_in_library = false;
template <class T, class Less>
inline constexpr bool sorts_in_library<T *, Less> =
    is_library_number<T> && (is_ascending<Less, T> || is_descending<Less, T>);

/// Insertion sorts of runs, then merges within data[0, n). `spare` has as many elements. The result is in `data`.
template <class T, class Less> void sort_block(T *data, T *spare, std::size_t n, const Less &less) {
  constexpr std::size_t run = 16;
  for (std::size_t first = 0; first < n; first += run) {
    const std::size_t last = n - first < run ? n : first + run;
    for (std::size_t i = first + 1; i < last; ++i) {
      const T x = data[i];
      std::size_t j = i;
      for (; j > first && less(x, data[j - 1]); --j) data[j] = data[j - 1];
      data[j] = x;
    }
  }
  T *from = data, *to = spare;
  for (std::size_t width = run; width < n; width *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * width) {
      const std::size_t a = n - first < width ? n - first : width;
      const std::size_t b = n - first - a < width ? n - first - a : width;
      merge_part(from + first, a, from + first + a, b, to + first, 0, a + b, less);
    }
    T *const other = from;
    from = to;
    to = other;
  }
  if (from != data)
    for (std::size_t i = 0; i < n; ++i) data[i] = from[i];
}

/// A stable sort of data[0, n). `spare` has as many elements. Returns that of both that has the result.
template <class T, class Less> T *merge_sort(call &c, T *data, T *spare, std::size_t n, Less less) {
  if constexpr (grouped_merge_sort<T, Less>::is_possible)
    if (!c.on_host()) return grouped_merge_sort<T, Less>::sort(c, data, spare, n, less);
  constexpr std::size_t cached = 4096;  // elements that are sorted in the first-level caches
  std::size_t width = 16;
  if (c.on_host()) {
    const std::size_t parts = std::min<std::size_t>(c.threads() * 4, (n + 2047) / 2048);
    width = ((n + parts - 1) / parts + cached - 1) / cached * cached;
  }
  const std::size_t run = width;
  for_each_part(c, (n + run - 1) / run, [=](std::size_t r) {
    const std::size_t first = r * run, count = n - first < run ? n - first : run;
    sort_block(data + first, spare + first, count, less);
  });
  const std::size_t length = merge_block(c, n);
  for (; width < n; width *= 2) {
    for_each_part(c, (n + length - 1) / length, [=](std::size_t part) {
      const std::size_t end = n - part * length < length ? n : (part + 1) * length;
      for (std::size_t at = part * length; at < end;) {  // the pairs of runs that the part has elements of
        const std::size_t start = at / (2 * width) * (2 * width), rest = n - start;
        const std::size_t a = rest < width ? rest : width, b = rest - a < width ? rest - a : width;
        const std::size_t stop = end < start + a + b ? end : start + a + b;
        merge_part(data + start, a, data + start + a, b, spare + start, at - start, stop - start, less);
        at = stop;
      }
    });
    std::swap(data, spare);
  }
  return data;
}

/// Sorts elements in place, keeping the order of equal ones.
template <class It, class Less> void sort_elements(call &c, const It &data, std::size_t n, const Less &less) {
  if (n < 2) return;
  using value = std::remove_cvref_t<value_of<It>>;
  if constexpr (sorts_in_library<It, Less>) {
    c.submit([&](sycl::queue &q, const std::vector<sycl::event> &after) {
      return dpep::memory_sorting::sort(q, library_type<value>(), data, n, is_descending<Less, value>,
                                        sycl::detail::to_dpep(after));
    });
  } else if constexpr (std::is_pointer_v<It>) {
    const value *const sorted = merge_sort(c, data, c.scratch<value>(n), n, less);
    if (sorted != data) c.move_each_index(n, [=](std::size_t i) { data[i] = sorted[i]; });
  } else {
    value *const copy = c.scratch<value>(n);
    c.move_each_index(n, [=](std::size_t i) { copy[i] = data[static_cast<std::ptrdiff_t>(i)]; });
    const value *const sorted = merge_sort(c, copy, c.scratch<value>(n), n, less);
    c.move_each_index(n, [=](std::size_t i) { data[static_cast<std::ptrdiff_t>(i)] = sorted[i]; });
  }
}

/// Sorts keys, and moves the values along.
template <class Keys, class Values, class Less>
void sort_pairs(call &c, const Keys &keys, const Values &values, std::size_t n, const Less &less) {
  if (n < 2) return;
  using key = std::remove_cvref_t<value_of<Keys>>;
  using value = std::remove_cvref_t<value_of<Values>>;
  if constexpr (sorts_in_library<Keys, Less>) {
    key *const sorted = c.scratch<key>(n);
    value *const moved = c.scratch<value>(n);
    std::int64_t *const positions = c.scratch<std::int64_t>(n);
    c.submit([&](sycl::queue &q, const std::vector<sycl::event> &after) {
      return dpep::memory_sorting::sort_positions(q, library_type<key>(), keys, positions, n, is_descending<Less, key>,
                                                  sycl::detail::to_dpep(after));
    });
    c.move_each_index(n, [=](std::size_t i) {
      sorted[i] = keys[positions[i]];
      moved[i] = values[static_cast<std::ptrdiff_t>(positions[i])];
    });
    c.move_each_index(n, [=](std::size_t i) {
      keys[i] = sorted[i];
      values[static_cast<std::ptrdiff_t>(i)] = moved[i];
    });
  } else {
    struct pair {
      key k;
      value v;
    };
    pair *const pairs = c.scratch<pair>(n);
    c.move_each_index(n, [=](std::size_t i) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      pairs[i] = {keys[at], values[at]};
    });
    const pair *const sorted =
        merge_sort(c, pairs, c.scratch<pair>(n), n, [=](const pair &a, const pair &b) { return less(a.k, b.k); });
    c.move_each_index(n, [=](std::size_t i) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      keys[at] = sorted[i].k;
      values[at] = sorted[i].v;
    });
  }
}

}  // namespace oneapi::dpl::detail
