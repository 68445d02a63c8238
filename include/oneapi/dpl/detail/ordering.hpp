// Sorts, merges, binary searches and set operations.
#pragma once

#include <oneapi/dpl/detail/compactions.hpp>
#include <oneapi/dpl/detail/searches.hpp>
#include <oneapi/dpl/detail/sort.hpp>

namespace oneapi::dpl {

template <detail::device_policy P, class It, class Less = std::less<>>
void stable_sort(P &&policy, It first, It last, Less less = {}) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto data = c.update(first, n);
  if constexpr (std::is_floating_point_v<detail::value_of<It>> &&
                detail::sorts_in_library<std::decay_t<decltype(data)>, Less>)
    // The library keeps no order of zeros of both signs: another type of the comparison takes the other way.
    detail::sort_elements(c, data, n, [less](const auto &a, const auto &b) { return less(a, b); });
  else
    detail::sort_elements(c, data, n, less);
  c.finish();
}
template <detail::device_policy P, class It, class Less = std::less<>>
void sort(P &&policy, It first, It last, Less less = {}) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  detail::sort_elements(c, c.update(first, n), n, less);
  c.finish();
}
template <detail::device_policy P, class Keys, class Values, class Less = std::less<>>
void stable_sort_by_key(P &&policy, Keys first, Keys last, Values values, Less less = {}) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto keys = c.update(first, n);
  detail::sort_pairs(c, keys, c.update(values, n), n, less);
  c.finish();
}
template <detail::device_policy P, class Keys, class Values, class Less = std::less<>>
void sort_by_key(P &&policy, Keys first, Keys last, Values values, Less less = {}) {
  stable_sort_by_key(policy, first, last, values, less);
}
/// All elements are sorted, also those behind `middle`.
template <detail::device_policy P, class It, class Less = std::less<>>
void partial_sort(P &&policy, It first, It, It last, Less less = {}) {
  sort(policy, first, last, less);
}
template <detail::device_policy P, class It, class Less = std::less<>>
void nth_element(P &&policy, It first, It, It last, Less less = {}) {
  sort(policy, first, last, less);
}
template <detail::device_policy P, class In, class Out, class Less = std::less<>>
Out partial_sort_copy(P &&policy, In first, In last, Out to, Out to_end, Less less = {}) {
  using value = std::remove_cvref_t<detail::value_of<In>>;
  const std::size_t n = detail::length(first, last), kept = std::min(n, detail::length(to, to_end));
  detail::call c(policy);
  const auto from = c.read(first, n);
  const auto result = c.write(to, kept);
  value *const copy = c.scratch<value>(n);
  c.move_each_index(n, [=](std::size_t i) { copy[i] = from[detail::at(i)]; });
  detail::sort_elements(c, copy, n, less);
  c.move_each_index(kept, [=](std::size_t i) { result[detail::at(i)] = copy[i]; });
  c.finish();
  return detail::advanced(to, kept);
}

template <detail::device_policy P, class In1, class In2, class Out, class Less = std::less<>>
Out merge(P &&policy, In1 first1, In1 last1, In2 first2, In2 last2, Out result, Less less = {}) {
  const std::size_t n1 = detail::length(first1, last1), n2 = detail::length(first2, last2);
  detail::call c(policy);
  const auto a = c.read(first1, n1);
  const auto b = c.read(first2, n2);
  detail::merge_into(c, a, n1, b, n2, c.write(result, n1 + n2), less);
  c.finish();
  return detail::advanced(result, n1 + n2);
}
template <detail::device_policy P, class It, class Less = std::less<>>
void inplace_merge(P &&policy, It first, It middle, It last, Less less = {}) {
  using value = std::remove_cvref_t<detail::value_of<It>>;
  const std::size_t n = detail::length(first, last), n1 = detail::length(first, middle);
  detail::call c(policy);
  const auto data = c.update(first, n);
  value *const copy = c.scratch<value>(n);
  c.move_each_index(n, [=](std::size_t i) { copy[i] = data[detail::at(i)]; });
  detail::merge_into(c, copy, n1, copy + n1, n - n1, data, less);
  c.finish();
}

namespace detail {

/// The first of sorted elements that is not less than x, or greater than x.
template <bool upper, class Data, class T, class Less>
std::size_t bound(const Data &data, std::size_t n, const T &x, const Less &less) {
  std::size_t first = 0;
  while (n) {
    const std::size_t half = n / 2;
    const auto &middle = data[at(first + half)];
    const bool behind = upper ? !less(x, middle) : static_cast<bool>(less(middle, x));
    first = behind ? first + half + 1 : first;
    n = behind ? n - half - 1 : half;
  }
  return first;
}
template <class P, class It, class Needles, class Out, class Find>
Out search_each(const P &policy, It first, It last, Needles needle, Needles needle_end, Out result, Find find) {
  const std::size_t n = length(first, last), count = length(needle, needle_end);
  return make_each(policy, count, result, [&](call &c) {
    return [data = c.read(first, n), needles = c.read(needle, count), n, find](std::size_t i) {
      const auto &x = needles[at(i)];
      return find(data, n, x);
    };
  });
}

}  // namespace detail

// The searches for each element of a sequence; the results are positions, or whether there is such an element.
template <detail::device_policy P, class It, class Needles, class Out, class Less = std::less<>>
Out lower_bound(P &&policy, It first, It last, Needles needle, Needles needle_end, Out result, Less less = {}) {
  return detail::search_each(policy, first, last, needle, needle_end, result,
                             [=](const auto &data, std::size_t n, const auto &x) {
                               return static_cast<detail::value_of<Out>>(detail::bound<false>(data, n, x, less));
                             });
}
template <detail::device_policy P, class It, class Needles, class Out, class Less = std::less<>>
Out upper_bound(P &&policy, It first, It last, Needles needle, Needles needle_end, Out result, Less less = {}) {
  return detail::search_each(policy, first, last, needle, needle_end, result,
                             [=](const auto &data, std::size_t n, const auto &x) {
                               return static_cast<detail::value_of<Out>>(detail::bound<true>(data, n, x, less));
                             });
}
template <detail::device_policy P, class It, class Needles, class Out, class Less = std::less<>>
Out binary_search(P &&policy, It first, It last, Needles needle, Needles needle_end, Out result, Less less = {}) {
  return detail::search_each(policy, first, last, needle, needle_end, result,
                             [=](const auto &data, std::size_t n, const auto &x) {
                               const std::size_t i = detail::bound<false>(data, n, x, less);
                               return i < n && !less(x, data[detail::at(i)]);
                             });
}

namespace detail {

/// Copies the elements of sorted `a` that have an equal partner in sorted `b`, or those without one. The k-th of equal
/// elements has the k-th of those in b as its partner. Returns their number.
template <bool matched, class A, class B, class Put, class Less>
std::size_t copy_matched(call &c, const A &a, std::size_t n, const B &b, std::size_t m, const Put &put,
                         const Less &less) {
  if (!n) return 0;
  const auto walk = [=](std::size_t first, std::size_t last, const auto &kept) {
    std::size_t run = bound<false>(a, first, a[at(first)], less);  // where the equal elements begin
    std::size_t start = bound<false>(b, m, a[at(first)], less);
    for (std::size_t i = first; i < last; ++i) {
      if (i > first && less(a[at(i - 1)], a[at(i)])) {
        run = i;
        while (start < m && less(b[at(start)], a[at(i)])) ++start;
      }
      const std::size_t partner = start + (i - run);
      if ((partner < m && !less(a[at(i)], b[at(partner)])) == matched) kept(i);
    }
  };
  const auto count = [=](std::size_t first, std::size_t last) {
    std::uint64_t sum = 0;
    walk(first, last, [&](std::size_t) { ++sum; });
    return sum;
  };
  const auto emit = [=](std::size_t first, std::size_t last, const maybe<std::uint64_t> &before) {
    std::uint64_t to = before.any ? before.value : 0;
    walk(first, last, [&](std::size_t i) { put(i, to++); });
  };
  std::uint64_t total = 0;
  c.fetch(
      two_pass<std::uint64_t>(c, n, count, [](std::uint64_t x, std::uint64_t y) { return x + y; }, emit, true), &total);
  return total;
}
template <bool matched, class T, class A, class B, class Less>
std::pair<T *, std::size_t> matched_elements(call &c, const A &a, std::size_t n, const B &b, std::size_t m,
                                             const Less &less) {
  T *const to = c.scratch<T>(n);
  return {to, copy_matched<matched>(c, a, n, b, m, [=](std::size_t i, std::size_t k) { to[k] = a[at(i)]; }, less)};
}
template <bool matched, class P, class In1, class In2, class Out, class Less>
Out set_part(const P &policy, In1 first1, In1 last1, In2 first2, In2 last2, Out result, const Less &less) {
  const std::size_t n = length(first1, last1), m = length(first2, last2);
  call c(policy);
  const auto a = c.read(first1, n);
  const auto b = c.read(first2, m);
  const auto to = c.write(result, n);
  const std::size_t kept =
      copy_matched<matched>(c, a, n, b, m, [=](std::size_t i, std::size_t k) { to[at(k)] = a[at(i)]; }, less);
  c.finish();
  return advanced(result, kept);
}

}  // namespace detail

template <detail::device_policy P, class In1, class In2, class Out, class Less = std::less<>>
Out set_intersection(P &&policy, In1 first1, In1 last1, In2 first2, In2 last2, Out result, Less less = {}) {
  return detail::set_part<true>(policy, first1, last1, first2, last2, result, less);
}
template <detail::device_policy P, class In1, class In2, class Out, class Less = std::less<>>
Out set_difference(P &&policy, In1 first1, In1 last1, In2 first2, In2 last2, Out result, Less less = {}) {
  return detail::set_part<false>(policy, first1, last1, first2, last2, result, less);
}
/// The first sequence merged with the elements that only the second one has.
template <detail::device_policy P, class In1, class In2, class Out, class Less = std::less<>>
Out set_union(P &&policy, In1 first1, In1 last1, In2 first2, In2 last2, Out result, Less less = {}) {
  using value = std::remove_cvref_t<detail::value_of<In2>>;
  const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
  detail::call c(policy);
  const auto a = c.read(first1, n);
  const auto b = c.read(first2, m);
  const auto to = c.write(result, n + m);
  const auto [only_b, count] = detail::matched_elements<false, value>(c, b, m, a, n, less);
  detail::merge_into(c, a, n, only_b, count, to, less);
  c.finish();
  return detail::advanced(result, n + count);
}
template <detail::device_policy P, class In1, class In2, class Out, class Less = std::less<>>
Out set_symmetric_difference(P &&policy, In1 first1, In1 last1, In2 first2, In2 last2, Out result, Less less = {}) {
  using value1 = std::remove_cvref_t<detail::value_of<In1>>;
  using value2 = std::remove_cvref_t<detail::value_of<In2>>;
  const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
  detail::call c(policy);
  const auto a = c.read(first1, n);
  const auto b = c.read(first2, m);
  const auto to = c.write(result, n + m);
  const auto [only_a, count_a] = detail::matched_elements<false, value1>(c, a, n, b, m, less);
  const auto [only_b, count_b] = detail::matched_elements<false, value2>(c, b, m, a, n, less);
  detail::merge_into(c, only_a, count_a, only_b, count_b, to, less);
  c.finish();
  return detail::advanced(result, count_a + count_b);
}
/// Whether each element of the second sorted sequence has a partner in the first.
template <detail::device_policy P, class In1, class In2, class Less = std::less<>>
bool includes(P &&policy, In1 first1, In1 last1, In2 first2, In2 last2, Less less = {}) {
  const std::size_t n = detail::length(first1, last1), m = detail::length(first2, last2);
  return detail::find_in_both(policy, first1, n, first2, m, m, [=](const auto &a, const auto &b, std::size_t i) {
           const auto &x = b[detail::at(i)];
           const std::size_t partner = detail::bound<false>(a, n, x, less) + i - detail::bound<false>(b, i, x, less);
           return partner >= n || less(x, a[detail::at(partner)]);
         }) == m;
}

}  // namespace oneapi::dpl
