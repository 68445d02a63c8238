// Algorithms that read only: searches, counts, comparisons, smallest and largest elements.
#pragma once

#include <utility>

#include <oneapi/dpl/detail/elements.hpp>
#include <oneapi/dpl/detail/reduce.hpp>

namespace oneapi::dpl {
namespace detail {

/// The first i < n for which holds(elements, i), or n.
template <class P, class It, class Holds>
std::size_t find_position(const P &policy, It first, std::size_t read, std::size_t n, Holds holds) {
  call c(policy);
  const auto data = c.read(first, read);
  const std::size_t found = find_first(c, n, [=](std::size_t i) -> bool { return holds(data, i); });
  c.finish();
  return found;
}
/// The first i < n for which holds(a, b, i), or n.
template <class P, class It1, class It2, class Holds>
std::size_t find_in_both(const P &policy, It1 first1, std::size_t n1, It2 first2, std::size_t n2, std::size_t n,
                         Holds holds) {
  call c(policy);
  const auto a = c.read(first1, n1);
  const auto b = c.read(first2, n2);
  const std::size_t found = find_first(c, n, [=](std::size_t i) -> bool { return holds(a, b, i); });
  c.finish();
  return found;
}
template <class P, class It, class Value, class Op, class T>
T reduce_positions(const P &policy, It first, std::size_t n, Value value, Op op, T none) {
  call c(policy);
  const auto data = c.read(first, n);
  const std::optional<T> all = reduce_values<T>(
      c, n, [=](std::size_t i) { return value(data, i); }, [=](const T &a, const T &b) { return op(data, a, b); });
  c.finish();
  return all ? *all : none;
}
/// A value and its position.
template <class T> struct positioned {
  T value;
  std::size_t at;
};
/// The smaller of two values with positions, the first one of equals.
template <class T, class Less> struct smaller_position {
  Less less;
  // Members are selected one by one, which keeps them in registers.
  positioned<T> operator()(const positioned<T> &a, const positioned<T> &b) const {
    const bool is_b = less(b.value, a.value) || (b.at < a.at && !less(a.value, b.value));
    return {is_b ? b.value : a.value, is_b ? b.at : a.at};
  }
  /// If b is behind a.
  positioned<T> in_order(const positioned<T> &a, const positioned<T> &b) const {
    const bool is_b = less(b.value, a.value);
    return {is_b ? b.value : a.value, is_b ? b.at : a.at};
  }
};
/// The position of the smallest element on GPUs, where values travel with their positions.
template <class T, class P, class It, class Less>
std::size_t smallest_by_value(const P &policy, It first, std::size_t n, Less less) {
  using element = positioned<T>;
  call c(policy);
  const auto data = c.read(first, n);
  const std::optional<element> found = reduce_values<element>(
      c, n, [=](std::size_t i) { return element{static_cast<T>(data[at(i)]), i}; }, smaller_position<T, Less>{less});
  c.finish();
  return found ? found->at : n;
}
/// The position of the smallest element, the first one of equals.
template <class P, class It, class Less> std::size_t smallest(const P &policy, It first, std::size_t n, Less less) {
  using value = std::remove_cvref_t<value_of<It>>;
  if constexpr (sizeof(value) <= 16 && std::is_trivially_copyable_v<value> &&
                std::is_trivially_default_constructible_v<value>)
    if (!sycl::detail::is_host(policy.queue())) return smallest_by_value<value>(policy, first, n, less);
  return reduce_positions(
      policy, first, n, [](const auto &, std::size_t i) { return i; },
      [=](const auto &data, std::size_t a, std::size_t b) {
        if (less(data[at(b)], data[at(a)])) return b;
        if (less(data[at(a)], data[at(b)])) return a;
        return a < b ? a : b;
      },
      n);
}
/// Of numbers, by their value: the value is found by vector instructions, then its position.
template <class P, class It, class Less>
std::size_t smallest_number(const P &policy, It first, std::size_t n, Less less) {
  using value = std::remove_cvref_t<value_of<It>>;
  if (!n) return 0;
  const value least = reduce_positions(
      policy, first, n, [](const auto &data, std::size_t i) { return static_cast<value>(data[at(i)]); },
      [=](const auto &, value a, value b) { return less(b, a) ? b : a; }, value());
  const std::size_t found =
      find_position(policy, first, n, n, [=](const auto &data, std::size_t i) { return data[at(i)] == least; });
  return found < n ? found : smallest(policy, first, n, less);  // not found: NaN
}
template <class Less> struct reversed {
  Less less;
  template <class A, class B> bool operator()(const A &a, const B &b) const { return less(b, a); }
};
template <class Less> inline constexpr bool is_plain_order = false;
template <> inline constexpr bool is_plain_order<std::less<>> = true;
template <> inline constexpr bool is_plain_order<std::greater<>> = true;
template <class Less> inline constexpr bool is_plain_order<reversed<Less>> = is_plain_order<Less>;

template <class P, class It, class Less> std::size_t smallest_of(const P &policy, It first, std::size_t n, Less less) {
  if constexpr (std::is_arithmetic_v<value_of<It>> && is_plain_order<Less>)
    if (sycl::detail::is_host(policy.queue())) return smallest_number(policy, first, n, less);
  return smallest(policy, first, n, less);
}

}  // namespace detail

template <detail::device_policy P, class It, class Predicate>
It find_if(P &&policy, It first, It last, Predicate holds) {
  const std::size_t n = detail::length(first, last);
  return detail::advanced(first, detail::find_position(policy, first, n, n, [=](const auto &data, std::size_t i) {
                            return holds(data[detail::at(i)]);
                          }));
}
template <detail::device_policy P, class It, class Predicate>
It find_if_not(P &&policy, It first, It last, Predicate holds) {
  return find_if(policy, first, last, [=](const auto &x) { return !holds(x); });
}
template <detail::device_policy P, class It, class T> It find(P &&policy, It first, It last, const T &x) {
  return find_if(policy, first, last, [x](const auto &e) { return e == x; });
}
template <detail::device_policy P, class It, class Predicate>
bool any_of(P &&policy, It first, It last, Predicate holds) {
  return !(find_if(policy, first, last, holds) == last);
}
template <detail::device_policy P, class It, class Predicate>
bool none_of(P &&policy, It first, It last, Predicate holds) {
  return !any_of(policy, first, last, holds);
}
template <detail::device_policy P, class It, class Predicate>
bool all_of(P &&policy, It first, It last, Predicate holds) {
  return !any_of(policy, first, last, [=](const auto &x) { return !holds(x); });
}
template <detail::device_policy P, class It, class Predicate>
typename std::iterator_traits<It>::difference_type count_if(P &&policy, It first, It last, Predicate holds) {
  const std::size_t n = detail::length(first, last);
  return detail::reduce_positions(
      policy, first, n,
      [=](const auto &data, std::size_t i) { return std::ptrdiff_t(holds(data[detail::at(i)]) ? 1 : 0); },
      [](const auto &, std::ptrdiff_t a, std::ptrdiff_t b) { return a + b; }, std::ptrdiff_t{0});
}
template <detail::device_policy P, class It, class T>
typename std::iterator_traits<It>::difference_type count(P &&policy, It first, It last, const T &x) {
  return count_if(policy, first, last, [x](const auto &e) { return e == x; });
}

template <detail::device_policy P, class It, class Equal = std::equal_to<>>
It adjacent_find(P &&policy, It first, It last, Equal equal = {}) {
  const std::size_t n = detail::length(first, last);
  if (n < 2) return last;
  const std::size_t found = detail::find_position(policy, first, n, n - 1, [=](const auto &data, std::size_t i) {
    return equal(data[detail::at(i)], data[detail::at(i + 1)]);
  });
  return found < n - 1 ? detail::advanced(first, found) : last;
}
template <detail::device_policy P, class It, class Less = std::less<>>
It is_sorted_until(P &&policy, It first, It last, Less less = {}) {
  const std::size_t n = detail::length(first, last);
  if (n < 2) return last;
  return detail::advanced(first,
                          1 + detail::find_position(policy, first, n, n - 1, [=](const auto &data, std::size_t i) {
                            return less(data[detail::at(i + 1)], data[detail::at(i)]);
                          }));
}
template <detail::device_policy P, class It, class Less = std::less<>>
bool is_sorted(P &&policy, It first, It last, Less less = {}) {
  return is_sorted_until(policy, first, last, less) == last;
}
/// The first element that is larger than its parent in a heap, element (i - 1) / 2 of element i.
template <detail::device_policy P, class It, class Less = std::less<>>
It is_heap_until(P &&policy, It first, It last, Less less = {}) {
  const std::size_t n = detail::length(first, last);
  if (n < 2) return last;
  return detail::advanced(first,
                          1 + detail::find_position(policy, first, n, n - 1, [=](const auto &data, std::size_t i) {
                            return less(data[detail::at(i / 2)], data[detail::at(i + 1)]);
                          }));
}
template <detail::device_policy P, class It, class Less = std::less<>>
bool is_heap(P &&policy, It first, It last, Less less = {}) {
  return is_heap_until(policy, first, last, less) == last;
}
template <detail::device_policy P, class It, class Predicate>
bool is_partitioned(P &&policy, It first, It last, Predicate holds) {
  const It middle = find_if_not(policy, first, last, holds);
  return none_of(policy, middle, last, holds);
}

/// The first occurrence of the second sequence in the first.
template <detail::device_policy P, class It1, class It2, class Equal = std::equal_to<>>
It1 search(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2, Equal equal = {}) {
  const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
  if (!m) return first1;
  if (m > n) return last1;
  const std::size_t found =
      detail::find_in_both(policy, first1, n, first2, m, n - m + 1, [=](const auto &a, const auto &b, std::size_t i) {
        for (std::size_t k = 0; k < m; ++k)
          if (!equal(a[detail::at(i + k)], b[detail::at(k)])) return false;
        return true;
      });
  return found <= n - m ? detail::advanced(first1, found) : last1;
}
/// The last occurrence of the second sequence in the first.
template <detail::device_policy P, class It1, class It2, class Equal = std::equal_to<>>
It1 find_end(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2, Equal equal = {}) {
  const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
  if (!m || m > n) return last1;
  const std::size_t found =
      detail::find_in_both(policy, first1, n, first2, m, n - m + 1, [=](const auto &a, const auto &b, std::size_t i) {
        for (std::size_t k = 0; k < m; ++k)
          if (!equal(a[detail::at(n - m - i + k)], b[detail::at(k)])) return false;
        return true;
      });
  return found <= n - m ? detail::advanced(first1, n - m - found) : last1;
}
/// The first `n` consecutive elements that are equal to a value.
template <detail::device_policy P, class It, class Size, class T, class Equal = std::equal_to<>>
It search_n(P &&policy, It first, It last, Size wanted, const T &x, Equal equal = {}) {
  if (wanted <= 0) return first;
  const std::size_t n = detail::length(first, last), m = static_cast<std::size_t>(wanted);
  if (m > n) return last;
  const std::size_t found = detail::find_position(policy, first, n, n - m + 1, [=](const auto &data, std::size_t i) {
    for (std::size_t k = 0; k < m; ++k)
      if (!equal(data[detail::at(i + k)], x)) return false;
    return true;
  });
  return found <= n - m ? detail::advanced(first, found) : last;
}
template <detail::device_policy P, class It1, class It2, class Equal = std::equal_to<>>
It1 find_first_of(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2, Equal equal = {}) {
  const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
  return detail::advanced(
      first1, detail::find_in_both(policy, first1, n, first2, m, n, [=](const auto &a, const auto &b, std::size_t i) {
        for (std::size_t k = 0; k < m; ++k)
          if (equal(a[detail::at(i)], b[detail::at(k)])) return true;
        return false;
      }));
}

namespace detail {
template <class P, class It1, class It2, class Equal>
std::size_t first_difference(const P &policy, It1 first1, It2 first2, std::size_t n, Equal equal) {
  return find_in_both(policy, first1, n, first2, n, n,
                      [=](const auto &a, const auto &b, std::size_t i) { return !equal(a[at(i)], b[at(i)]); });
}
}  // namespace detail

template <detail::device_policy P, class It1, class It2, class Equal>
std::pair<It1, It2> mismatch(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2, Equal equal) {
  const std::size_t n = std::min(detail::length(first1, last1), detail::length(first2, last2));
  const std::size_t found = detail::first_difference(policy, first1, first2, n, equal);
  return {detail::advanced(first1, found), detail::advanced(first2, found)};
}
template <detail::device_policy P, class It1, class It2>
std::pair<It1, It2> mismatch(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2) {
  return mismatch(policy, first1, last1, first2, last2, std::equal_to<>());
}
template <detail::device_policy P, class It1, class It2, class Equal>
std::pair<It1, It2> mismatch(P &&policy, It1 first1, It1 last1, It2 first2, Equal equal) {
  return mismatch(policy, first1, last1, first2, detail::advanced(first2, detail::length(first1, last1)), equal);
}
template <detail::device_policy P, class It1, class It2>
std::pair<It1, It2> mismatch(P &&policy, It1 first1, It1 last1, It2 first2) {
  return mismatch(policy, first1, last1, first2, std::equal_to<>());
}
template <detail::device_policy P, class It1, class It2, class Equal>
bool equal(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2, Equal equals) {
  const std::size_t n = detail::length(first1, last1);
  return n == detail::length(first2, last2) && detail::first_difference(policy, first1, first2, n, equals) == n;
}
template <detail::device_policy P, class It1, class It2>
bool equal(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2) {
  return equal(policy, first1, last1, first2, last2, std::equal_to<>());
}
template <detail::device_policy P, class It1, class It2, class Equal>
bool equal(P &&policy, It1 first1, It1 last1, It2 first2, Equal equals) {
  const std::size_t n = detail::length(first1, last1);
  return detail::first_difference(policy, first1, first2, n, equals) == n;
}
template <detail::device_policy P, class It1, class It2> bool equal(P &&policy, It1 first1, It1 last1, It2 first2) {
  return equal(policy, first1, last1, first2, std::equal_to<>());
}
template <detail::device_policy P, class It1, class It2, class Less = std::less<>>
bool lexicographical_compare(P &&policy, It1 first1, It1 last1, It2 first2, It2 last2, Less less = {}) {
  const std::size_t n1 = detail::length(first1, last1), n2 = detail::length(first2, last2), n = std::min(n1, n2);
  const std::size_t found =
      detail::find_in_both(policy, first1, n, first2, n, n, [=](const auto &a, const auto &b, std::size_t i) {
        return less(a[detail::at(i)], b[detail::at(i)]) || less(b[detail::at(i)], a[detail::at(i)]);
      });
  if (found == n) return n1 < n2;
  return detail::find_in_both(policy, detail::advanced(first1, found), 1, detail::advanced(first2, found), 1, 1,
                              [=](const auto &a, const auto &b, std::size_t) { return less(a[0], b[0]); }) == 0;
}

template <detail::device_policy P, class It, class Less = std::less<>>
It min_element(P &&policy, It first, It last, Less less = {}) {
  return detail::advanced(first, detail::smallest_of(policy, first, detail::length(first, last), less));
}
template <detail::device_policy P, class It, class Less = std::less<>>
It max_element(P &&policy, It first, It last, Less less = {}) {
  return detail::advanced(
      first, detail::smallest_of(policy, first, detail::length(first, last), detail::reversed<Less>{less}));
}
/// The first of the smallest elements, and the last of the largest.
template <detail::device_policy P, class It, class Less = std::less<>>
std::pair<It, It> minmax_element(P &&policy, It first, It last, Less less = {}) {
  const std::size_t n = detail::length(first, last);
  const std::size_t largest = detail::reduce_positions(
      policy, first, n, [](const auto &, std::size_t i) { return i; },
      [=](const auto &data, std::size_t a, std::size_t b) {
        if (less(data[detail::at(a)], data[detail::at(b)])) return b;
        if (less(data[detail::at(b)], data[detail::at(a)])) return a;
        return a < b ? b : a;
      },
      n);
  return {min_element(policy, first, last, less), detail::advanced(first, largest)};
}

}  // namespace oneapi::dpl
