// oneapi::dpl::experimental::ranges: views of buffers and USM memory, and the algorithms on them. Superseded by
// oneapi::dpl::ranges, as in oneDPL. Searches return positions, selections the number of elements.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include <oneapi/dpl/detail/buffer_iterator.hpp>
#include <oneapi/dpl/detail/compactions.hpp>
#include <oneapi/dpl/detail/elements.hpp>
#include <oneapi/dpl/detail/iterators.hpp>
#include <oneapi/dpl/detail/numbers.hpp>
#include <oneapi/dpl/detail/ordering.hpp>
#include <oneapi/dpl/detail/searches.hpp>

namespace oneapi::dpl::experimental::ranges {

/// `size()` elements from an iterator on.
template <class It> class iterator_view {
public:
  iterator_view(It first, std::size_t n) : first_(first), n_(n) {}
  It begin() const { return first_; }
  It end() const { return detail::advanced(first_, n_); }
  std::size_t size() const noexcept { return n_; }
  bool empty() const noexcept { return n_ == 0; }
  decltype(auto) operator[](std::ptrdiff_t i) const { return first_[i]; }

private:
  It first_;
  std::size_t n_;
};
template <class R> inline constexpr bool is_view = false;
template <class It> inline constexpr bool is_view<iterator_view<It>> = true;
template <class R>
concept view = is_view<std::remove_cvref_t<R>>;

/// What follows `|`: a function from a view to another.
template <class F> struct adaptor {
  F make;
  template <view R> friend auto operator|(const R &range, const adaptor &a) { return a.make(range); }
};
template <class F> adaptor(F) -> adaptor<F>;

namespace views {

/// All or `n` elements of a buffer, from `first` on.
template <class T, class A> auto all(sycl::buffer<T, 1, A> b, std::size_t first, std::size_t n) {
  return iterator_view(dpl::begin(b) + static_cast<std::ptrdiff_t>(first), n);
}
template <class T, class A> auto all(sycl::buffer<T, 1, A> b) { return all(b, 0, b.size()); }
// The algorithm determines how elements are accessed.
template <class T, class A> auto all_read(sycl::buffer<T, 1, A> b) { return all(b); }
template <class T, class A> auto all_write(sycl::buffer<T, 1, A> b) { return all(b); }

/// The elements of USM memory between two pointers.
template <class T> iterator_view<T *> subrange(T *first, T *last) {
  return {first, static_cast<std::size_t>(last - first)};
}
/// The integers from `first` on, without `last`.
template <class Integer> iterator_view<counting_iterator<Integer>> iota(Integer first, Integer last) {
  return {counting_iterator<Integer>(first), static_cast<std::size_t>(last - first)};
}
/// Tuples of the elements of several views.
template <view First, view... Others> auto zip(const First &first, const Others &...others) {
  return iterator_view(make_zip_iterator(first.begin(), others.begin()...), std::min({first.size(), others.size()...}));
}
template <view R, class F> auto transform(const R &range, F f) {
  return iterator_view(make_transform_iterator(range.begin(), f), range.size());
}
template <view R> auto reverse(const R &range) {
  return iterator_view(std::make_reverse_iterator(range.end()), range.size());
}
template <view R> auto take(const R &range, std::size_t n) {
  return iterator_view(range.begin(), std::min(n, range.size()));
}
template <view R> auto drop(const R &range, std::size_t n) {
  const std::size_t left_out = std::min(n, range.size());
  return iterator_view(detail::advanced(range.begin(), left_out), range.size() - left_out);
}
template <class F>
  requires(!view<F>)
auto transform(F f) {
  return adaptor{[f](const auto &range) { return transform(range, f); }};
}
inline auto reverse() {
  return adaptor{[](const auto &range) { return reverse(range); }};
}
inline auto take(std::size_t n) {
  return adaptor{[n](const auto &range) { return take(range, n); }};
}
inline auto drop(std::size_t n) {
  return adaptor{[n](const auto &range) { return drop(range, n); }};
}

}  // namespace views

using detail::device_policy;

// Algorithms whose arguments are a range and function objects or values, and whose result is an iterator.
#define DPEP_DPL_POSITION(name)                                                                                        \
  template <device_policy P, view R, class... A>                                                                       \
    requires(!view<A> && ...)                                                                                          \
  std::ptrdiff_t name(P &&policy, R &&range, const A &...arguments) {                                                  \
    return dpl::name(policy, range.begin(), range.end(), arguments...) - range.begin();                                \
  }
DPEP_DPL_POSITION(adjacent_find)
DPEP_DPL_POSITION(find)
DPEP_DPL_POSITION(find_if)
DPEP_DPL_POSITION(find_if_not)
DPEP_DPL_POSITION(is_sorted_until)
DPEP_DPL_POSITION(max_element)
DPEP_DPL_POSITION(min_element)
DPEP_DPL_POSITION(remove)
DPEP_DPL_POSITION(remove_if)
DPEP_DPL_POSITION(unique)
#undef DPEP_DPL_POSITION

// Those whose result is a value, or nothing.
#define DPEP_DPL_VALUE(name)                                                                                           \
  template <device_policy P, view R, class... A>                                                                       \
    requires(!view<A> && ...)                                                                                          \
  auto name(P &&policy, R &&range, const A &...arguments) {                                                            \
    return dpl::name(policy, range.begin(), range.end(), arguments...);                                                \
  }
DPEP_DPL_VALUE(all_of)
DPEP_DPL_VALUE(any_of)
DPEP_DPL_VALUE(count)
DPEP_DPL_VALUE(count_if)
DPEP_DPL_VALUE(for_each)
DPEP_DPL_VALUE(is_sorted)
DPEP_DPL_VALUE(none_of)
DPEP_DPL_VALUE(reduce)
DPEP_DPL_VALUE(replace)
DPEP_DPL_VALUE(replace_if)
DPEP_DPL_VALUE(reverse)
DPEP_DPL_VALUE(sort)
DPEP_DPL_VALUE(stable_sort)
DPEP_DPL_VALUE(transform_reduce)
#undef DPEP_DPL_VALUE

// Those that write into a second range; the number of elements written.
#define DPEP_DPL_OUTPUT(name)                                                                                          \
  template <device_policy P, view R, view Out, class... A>                                                             \
    requires(!view<A> && ...)                                                                                          \
  std::ptrdiff_t name(P &&policy, R &&range, Out &&to, const A &...arguments) {                                        \
    return dpl::name(policy, range.begin(), range.end(), to.begin(), arguments...) - to.begin();                       \
  }
DPEP_DPL_OUTPUT(copy)
DPEP_DPL_OUTPUT(copy_if)
DPEP_DPL_OUTPUT(exclusive_scan)
DPEP_DPL_OUTPUT(inclusive_scan)
DPEP_DPL_OUTPUT(move)
DPEP_DPL_OUTPUT(remove_copy)
DPEP_DPL_OUTPUT(remove_copy_if)
DPEP_DPL_OUTPUT(replace_copy)
DPEP_DPL_OUTPUT(replace_copy_if)
DPEP_DPL_OUTPUT(reverse_copy)
DPEP_DPL_OUTPUT(swap_ranges)
DPEP_DPL_OUTPUT(transform)
DPEP_DPL_OUTPUT(transform_exclusive_scan)
DPEP_DPL_OUTPUT(transform_inclusive_scan)
DPEP_DPL_OUTPUT(unique_copy)
#undef DPEP_DPL_OUTPUT
template <device_policy P, view R, view Out>
std::ptrdiff_t rotate_copy(P &&policy, R &&range, std::size_t by, Out &&to) {
  const auto first = range.begin();
  return dpl::rotate_copy(policy, first, detail::advanced(first, by), range.end(), to.begin()) - to.begin();
}

// Those of two ranges.
template <device_policy P, view R1, view R2, view Out, class F>
std::ptrdiff_t transform(P &&policy, R1 &&a, R2 &&b, Out &&to, F f) {
  return dpl::transform(policy, a.begin(), a.end(), b.begin(), to.begin(), f) - to.begin();
}
template <device_policy P, view R1, view R2, view Out, class... A>
  requires(!view<A> && ...)
std::ptrdiff_t merge(P &&policy, R1 &&a, R2 &&b, Out &&to, const A &...less) {
  return dpl::merge(policy, a.begin(), a.end(), b.begin(), b.end(), to.begin(), less...) - to.begin();
}
template <device_policy P, view R1, view R2, class... A>
  requires(!view<A> && ...)
bool equal(P &&policy, R1 &&a, R2 &&b, const A &...equals) {
  return dpl::equal(policy, a.begin(), a.end(), b.begin(), b.end(), equals...);
}
template <device_policy P, view R1, view R2, class... A>
  requires(!view<A> && ...)
std::ptrdiff_t search(P &&policy, R1 &&a, R2 &&b, const A &...equals) {
  return dpl::search(policy, a.begin(), a.end(), b.begin(), b.end(), equals...) - a.begin();
}
template <device_policy P, view R1, view R2, class... A>
  requires(!view<A> && ...)
std::ptrdiff_t find_end(P &&policy, R1 &&a, R2 &&b, const A &...equals) {
  return dpl::find_end(policy, a.begin(), a.end(), b.begin(), b.end(), equals...) - a.begin();
}
template <device_policy P, view R1, view R2, class... A>
  requires(!view<A> && ...)
std::ptrdiff_t find_first_of(P &&policy, R1 &&a, R2 &&b, const A &...equals) {
  return dpl::find_first_of(policy, a.begin(), a.end(), b.begin(), b.end(), equals...) - a.begin();
}
template <device_policy P, view R, class... A> auto minmax_element(P &&policy, R &&range, const A &...less) {
  const auto found = dpl::minmax_element(policy, range.begin(), range.end(), less...);
  return std::pair<std::ptrdiff_t, std::ptrdiff_t>(found.first - range.begin(), found.second - range.begin());
}
template <device_policy P, view Keys, view Values, class... A>
void sort_by_key(P &&policy, Keys &&keys, Values &&values, const A &...less) {
  dpl::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), less...);
}
template <device_policy P, view Keys, view Values, class... A>
void stable_sort_by_key(P &&policy, Keys &&keys, Values &&values, const A &...less) {
  dpl::stable_sort_by_key(policy, keys.begin(), keys.end(), values.begin(), less...);
}
/// The number of segments.
template <device_policy P, view Keys, view Values, view OutKeys, view OutValues, class... A>
std::ptrdiff_t reduce_by_segment(P &&policy, Keys &&keys, Values &&values, OutKeys &&out_keys, OutValues &&out_values,
                                 const A &...functions) {
  return dpl::reduce_by_segment(policy, keys.begin(), keys.end(), values.begin(), out_keys.begin(), out_values.begin(),
                                functions...)
             .first -
         out_keys.begin();
}

}  // namespace oneapi::dpl::experimental::ranges
