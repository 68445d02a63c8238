// oneapi::dpl::ranges: the algorithms on sized random access ranges, with projections. An algorithm that writes into
// another range stops at the end of the shorter one.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <utility>

#include <oneapi/dpl/detail/compactions.hpp>
#include <oneapi/dpl/detail/elements.hpp>
#include <oneapi/dpl/detail/host_algorithms.hpp>
#include <oneapi/dpl/detail/ordering.hpp>
#include <oneapi/dpl/detail/range_iterators.hpp>
#include <oneapi/dpl/detail/searches.hpp>

namespace oneapi::dpl {
namespace detail {

/// A range as an algorithm with this policy takes it.
template <class P, class R> struct range_arguments {
  explicit range_arguments(R &range) : size(size_of(range)), first(begin_of<P>(range)), last(advanced(first, size)) {}
  std::size_t size;
  decltype(begin_of<P>(std::declval<R &>())) first, last;

  auto at(std::size_t i) const { return advanced(first, i); }
  template <class It> std::size_t index(const It &found) const { return length(first, found); }
};
template <class P, class R> range_arguments<std::remove_cvref_t<P>, R> arguments_of(R &range) {
  return range_arguments<std::remove_cvref_t<P>, R>(range);
}
/// The largest k of which the first k elements have at most `most` with a property.
template <class P, class Range, class Predicate>
std::size_t prefix_with(const P &policy, const Range &r, std::size_t most, Predicate holds) {
  std::size_t first = 0, found = 0;
  for (std::size_t last = r.size + 1; last - first > 1;) {
    const std::size_t middle = first + (last - first) / 2;
    const auto more = static_cast<std::size_t>(dpl::count_if(policy, r.at(first), r.at(middle), holds));
    if (found + more <= most)
      first = middle, found += more;
    else
      last = middle;
  }
  return first;
}
inline void check_room(const char *algorithm, std::size_t room, std::size_t wanted) {
  if (room < wanted)
    throw sycl::exception(sycl::errc::invalid, std::string("oneapi::dpl::ranges::") + algorithm + ": the result has " +
                                                   std::to_string(room) + " elements; up to " + std::to_string(wanted) +
                                                   " are needed");
}
/// The rest of a range from element i on, as algorithms that remove elements return it.
template <class R> std::ranges::borrowed_subrange_t<R> rest_of(R &range, std::size_t from, std::size_t to) {
  if constexpr (std::ranges::borrowed_range<R>)
    return {position_in<R>(range, from), position_in<R>(range, to)};
  else
    return {};
}

}  // namespace detail

namespace ranges {

using detail::any_policy;
using detail::sized_range;

// -- Functions of each element

template <any_policy P, sized_range R, class F, class Projection = std::identity>
detail::position<R> for_each(P &&policy, R &&range, F f, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  dpl::for_each(policy, r.first, r.last, [=](auto &&x) { std::invoke(f, std::invoke(project, x)); });
  return detail::position_in<R>(range, r.size);
}
template <any_policy P, sized_range R, sized_range Out, class F, class Projection = std::identity>
std::ranges::unary_transform_result<detail::position<R>, detail::position<Out>>
transform(P &&policy, R &&range, Out &&to, F f, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto out = detail::arguments_of<P>(to);
  const std::size_t n = std::min(r.size, out.size);
  dpl::transform(policy, r.first, r.at(n), out.first, detail::of_projected(f, project));
  return {detail::position_in<R>(range, n), detail::position_in<Out>(to, n)};
}
template <any_policy P, sized_range R1, sized_range R2, sized_range Out, class F, class Projection1 = std::identity,
          class Projection2 = std::identity>
std::ranges::binary_transform_result<detail::position<R1>, detail::position<R2>, detail::position<Out>>
transform(P &&policy, R1 &&range1, R2 &&range2, Out &&to, F f, Projection1 project1 = {}, Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const auto out = detail::arguments_of<P>(to);
  const std::size_t n = std::min({a.size, b.size, out.size});
  dpl::transform(policy, a.first, a.at(n), b.first, out.first, detail::of_projected(f, project1, project2));
  return {detail::position_in<R1>(range1, n), detail::position_in<R2>(range2, n), detail::position_in<Out>(to, n)};
}
template <any_policy P, sized_range R, class T> detail::position<R> fill(P &&policy, R &&range, const T &x) {
  const auto r = detail::arguments_of<P>(range);
  dpl::fill(policy, r.first, r.last, static_cast<std::ranges::range_value_t<R>>(x));
  return detail::position_in<R>(range, r.size);
}
template <any_policy P, sized_range R, class F> detail::position<R> generate(P &&policy, R &&range, F f) {
  const auto r = detail::arguments_of<P>(range);
  dpl::generate(policy, r.first, r.last, f);
  return detail::position_in<R>(range, r.size);
}

// -- Copies

template <any_policy P, sized_range R, sized_range Out>
std::ranges::copy_result<detail::position<R>, detail::position<Out>> copy(P &&policy, R &&range, Out &&to) {
  const auto r = detail::arguments_of<P>(range);
  const auto out = detail::arguments_of<P>(to);
  const std::size_t n = std::min(r.size, out.size);
  dpl::copy(policy, r.first, r.at(n), out.first);
  return {detail::position_in<R>(range, n), detail::position_in<Out>(to, n)};
}
template <any_policy P, sized_range R, sized_range Out>
std::ranges::move_result<detail::position<R>, detail::position<Out>> move(P &&policy, R &&range, Out &&to) {
  return ranges::copy(policy, range, to);
}
template <any_policy P, sized_range R1, sized_range R2>
std::ranges::swap_ranges_result<detail::position<R1>, detail::position<R2>> swap_ranges(P &&policy, R1 &&range1,
                                                                                        R2 &&range2) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const std::size_t n = std::min(a.size, b.size);
  dpl::swap_ranges(policy, a.first, a.at(n), b.first);
  return {detail::position_in<R1>(range1, n), detail::position_in<R2>(range2, n)};
}
template <any_policy P, sized_range R> detail::position<R> reverse(P &&policy, R &&range) {
  const auto r = detail::arguments_of<P>(range);
  dpl::reverse(policy, r.first, r.last);
  return detail::position_in<R>(range, r.size);
}
/// If the result is shorter, it gets the last elements of the range.
template <any_policy P, sized_range R, sized_range Out>
std::ranges::in_in_out_result<detail::position<R>, detail::position<R>, detail::position<Out>>
reverse_copy(P &&policy, R &&range, Out &&to) {
  const auto r = detail::arguments_of<P>(range);
  const auto out = detail::arguments_of<P>(to);
  const std::size_t n = std::min(r.size, out.size);
  dpl::reverse_copy(policy, r.at(r.size - n), r.last, out.first);
  return {detail::position_in<R>(range, r.size), detail::position_in<R>(range, r.size - n),
          detail::position_in<Out>(to, n)};
}
template <any_policy P, sized_range R, class Predicate, class T, class Projection = std::identity>
detail::position<R> replace_if(P &&policy, R &&range, Predicate holds, const T &now, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  dpl::replace_if(policy, r.first, r.last, detail::of_projected(holds, project),
                  static_cast<std::ranges::range_value_t<R>>(now));
  return detail::position_in<R>(range, r.size);
}
template <any_policy P, sized_range R, class T1, class T2, class Projection = std::identity>
detail::position<R> replace(P &&policy, R &&range, const T1 &old, const T2 &now, Projection project = {}) {
  return ranges::replace_if(policy, range, [old](const auto &x) { return x == old; }, now, project);
}
template <any_policy P, sized_range R, sized_range Out, class Predicate, class T, class Projection = std::identity>
std::ranges::replace_copy_if_result<detail::position<R>, detail::position<Out>>
replace_copy_if(P &&policy, R &&range, Out &&to, Predicate holds, const T &now, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto out = detail::arguments_of<P>(to);
  const std::size_t n = std::min(r.size, out.size);
  dpl::replace_copy_if(policy, r.first, r.at(n), out.first, detail::of_projected(holds, project),
                       static_cast<std::ranges::range_value_t<Out>>(now));
  return {detail::position_in<R>(range, n), detail::position_in<Out>(to, n)};
}
template <any_policy P, sized_range R, sized_range Out, class T1, class T2, class Projection = std::identity>
std::ranges::replace_copy_result<detail::position<R>, detail::position<Out>>
replace_copy(P &&policy, R &&range, Out &&to, const T1 &old, const T2 &now, Projection project = {}) {
  return ranges::replace_copy_if(policy, range, to, [old](const auto &x) { return x == old; }, now, project);
}

// -- Selections

/// Stops before the first element that does not fit into the result.
template <any_policy P, sized_range R, sized_range Out, class Predicate, class Projection = std::identity>
std::ranges::copy_if_result<detail::position<R>, detail::position<Out>>
copy_if(P &&policy, R &&range, Out &&to, Predicate holds, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto out = detail::arguments_of<P>(to);
  const auto kept = detail::of_projected(holds, project);
  const std::size_t n = out.size < r.size ? detail::prefix_with(policy, r, out.size, kept) : r.size;
  const auto end = dpl::copy_if(policy, r.first, r.at(n), out.first, kept);
  return {detail::position_in<R>(range, n), detail::position_in<Out>(to, out.index(end))};
}
template <any_policy P, sized_range R, sized_range Out, class Predicate, class Projection = std::identity>
std::ranges::remove_copy_if_result<detail::position<R>, detail::position<Out>>
remove_copy_if(P &&policy, R &&range, Out &&to, Predicate holds, Projection project = {}) {
  return ranges::copy_if(policy, range, to, [=](const auto &x) { return !std::invoke(holds, x); }, project);
}
template <any_policy P, sized_range R, sized_range Out, class T, class Projection = std::identity>
std::ranges::remove_copy_result<detail::position<R>, detail::position<Out>>
remove_copy(P &&policy, R &&range, Out &&to, const T &old, Projection project = {}) {
  return ranges::copy_if(policy, range, to, [old](const auto &x) { return !(x == old); }, project);
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> remove_if(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto end = dpl::remove_if(policy, r.first, r.last, detail::of_projected(holds, project));
  return detail::rest_of<R>(range, r.index(end), r.size);
}
template <any_policy P, sized_range R, class T, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> remove(P &&policy, R &&range, const T &old, Projection project = {}) {
  return ranges::remove_if(policy, range, [old](const auto &x) { return x == old; }, project);
}
template <any_policy P, sized_range R, class Equal = std::ranges::equal_to, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> unique(P &&policy, R &&range, Equal equal = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto end = dpl::unique(policy, r.first, r.last, detail::of_projected(equal, project, project));
  return detail::rest_of<R>(range, r.index(end), r.size);
}
/// Throws errc::invalid if the result is shorter than the range.
template <any_policy P, sized_range R, sized_range Out, class Equal = std::ranges::equal_to,
          class Projection = std::identity>
std::ranges::unique_copy_result<detail::position<R>, detail::position<Out>>
unique_copy(P &&policy, R &&range, Out &&to, Equal equal = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto out = detail::arguments_of<P>(to);
  detail::check_room("unique_copy", out.size, r.size);
  const auto end = dpl::unique_copy(policy, r.first, r.last, out.first, detail::of_projected(equal, project, project));
  return {detail::position_in<R>(range, r.size), detail::position_in<Out>(to, out.index(end))};
}

// -- Searches and comparisons

template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
detail::position<R> find_if(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return detail::position_in<R>(range,
                                r.index(dpl::find_if(policy, r.first, r.last, detail::of_projected(holds, project))));
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
detail::position<R> find_if_not(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  return ranges::find_if(policy, range, [=](const auto &x) { return !std::invoke(holds, x); }, project);
}
template <any_policy P, sized_range R, class T, class Projection = std::identity>
detail::position<R> find(P &&policy, R &&range, const T &wanted, Projection project = {}) {
  return ranges::find_if(policy, range, [wanted](const auto &x) { return x == wanted; }, project);
}
/// The elements from the last one with the property on; none if there is no such element.
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> find_last_if(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto end = std::make_reverse_iterator(r.last), begin = std::make_reverse_iterator(r.first);
  const std::size_t behind =
      detail::length(end, dpl::find_if(policy, end, begin, detail::of_projected(holds, project)));
  return detail::rest_of<R>(range, behind < r.size ? r.size - behind - 1 : r.size, r.size);
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> find_last_if_not(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  return ranges::find_last_if(policy, range, [=](const auto &x) { return !std::invoke(holds, x); }, project);
}
template <any_policy P, sized_range R, class T, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> find_last(P &&policy, R &&range, const T &wanted, Projection project = {}) {
  return ranges::find_last_if(policy, range, [wanted](const auto &x) { return x == wanted; }, project);
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
bool any_of(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return dpl::any_of(policy, r.first, r.last, detail::of_projected(holds, project));
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
bool none_of(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  return !ranges::any_of(policy, range, holds, project);
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
bool all_of(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  return !ranges::any_of(policy, range, [=](const auto &x) { return !std::invoke(holds, x); }, project);
}
template <any_policy P, sized_range R, class T, class Projection = std::identity>
bool contains(P &&policy, R &&range, const T &wanted, Projection project = {}) {
  return ranges::any_of(policy, range, [wanted](const auto &x) { return x == wanted; }, project);
}
template <any_policy P, sized_range R, class Predicate, class Projection = std::identity>
std::ranges::range_difference_t<R> count_if(P &&policy, R &&range, Predicate holds, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return dpl::count_if(policy, r.first, r.last, detail::of_projected(holds, project));
}
template <any_policy P, sized_range R, class T, class Projection = std::identity>
std::ranges::range_difference_t<R> count(P &&policy, R &&range, const T &wanted, Projection project = {}) {
  return ranges::count_if(policy, range, [wanted](const auto &x) { return x == wanted; }, project);
}
template <any_policy P, sized_range R, class Equal = std::ranges::equal_to, class Projection = std::identity>
detail::position<R> adjacent_find(P &&policy, R &&range, Equal equal = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return detail::position_in<R>(
      range, r.index(dpl::adjacent_find(policy, r.first, r.last, detail::of_projected(equal, project, project))));
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
detail::position<R1> find_first_of(P &&policy, R1 &&range1, R2 &&range2, Equal equal = {}, Projection1 project1 = {},
                                   Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return detail::position_in<R1>(range1, a.index(dpl::find_first_of(policy, a.first, a.last, b.first, b.last,
                                                                    detail::of_projected(equal, project1, project2))));
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
std::ranges::borrowed_subrange_t<R1> search(P &&policy, R1 &&range1, R2 &&range2, Equal equal = {},
                                            Projection1 project1 = {}, Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const std::size_t at =
      a.index(dpl::search(policy, a.first, a.last, b.first, b.last, detail::of_projected(equal, project1, project2)));
  return detail::rest_of<R1>(range1, at, std::min(at + b.size, a.size));
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
std::ranges::borrowed_subrange_t<R1> find_end(P &&policy, R1 &&range1, R2 &&range2, Equal equal = {},
                                              Projection1 project1 = {}, Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const std::size_t at =
      a.index(dpl::find_end(policy, a.first, a.last, b.first, b.last, detail::of_projected(equal, project1, project2)));
  return detail::rest_of<R1>(range1, at, std::min(at + b.size, a.size));
}
template <any_policy P, sized_range R, class T, class Equal = std::ranges::equal_to, class Projection = std::identity>
std::ranges::borrowed_subrange_t<R> search_n(P &&policy, R &&range, std::ranges::range_difference_t<R> count,
                                             const T &wanted, Equal equal = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const std::size_t at = r.index(
      dpl::search_n(policy, r.first, r.last, count, wanted, detail::of_projected(equal, project, std::identity())));
  return detail::rest_of<R>(range, at, count > 0 ? std::min(at + static_cast<std::size_t>(count), r.size) : at);
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
bool equal(P &&policy, R1 &&range1, R2 &&range2, Equal equals = {}, Projection1 project1 = {},
           Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return a.size == b.size &&
         dpl::equal(policy, a.first, a.last, b.first, b.last, detail::of_projected(equals, project1, project2));
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
bool starts_with(P &&policy, R1 &&range1, R2 &&range2, Equal equals = {}, Projection1 project1 = {},
                 Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return a.size >= b.size &&
         dpl::equal(policy, a.first, a.at(b.size), b.first, b.last, detail::of_projected(equals, project1, project2));
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
bool ends_with(P &&policy, R1 &&range1, R2 &&range2, Equal equals = {}, Projection1 project1 = {},
               Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return a.size >= b.size && dpl::equal(policy, a.at(a.size - b.size), a.last, b.first, b.last,
                                        detail::of_projected(equals, project1, project2));
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
bool contains_subrange(P &&policy, R1 &&range1, R2 &&range2, Equal equals = {}, Projection1 project1 = {},
                       Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return b.size == 0 || a.index(dpl::search(policy, a.first, a.last, b.first, b.last,
                                            detail::of_projected(equals, project1, project2))) < a.size;
}
template <any_policy P, sized_range R1, sized_range R2, class Equal = std::ranges::equal_to,
          class Projection1 = std::identity, class Projection2 = std::identity>
std::ranges::mismatch_result<detail::position<R1>, detail::position<R2>>
mismatch(P &&policy, R1 &&range1, R2 &&range2, Equal equals = {}, Projection1 project1 = {},
         Projection2 project2 = {}) {
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const std::size_t at = a.index(
      dpl::mismatch(policy, a.first, a.last, b.first, b.last, detail::of_projected(equals, project1, project2)).first);
  return {detail::position_in<R1>(range1, at), detail::position_in<R2>(range2, at)};
}
template <any_policy P, sized_range R1, sized_range R2, class Less = std::ranges::less,
          class Projection1 = std::identity, class Projection2 = std::identity>
bool lexicographical_compare(P &&policy, R1 &&range1, R2 &&range2, Less less = {}, Projection1 project1 = {},
                             Projection2 project2 = {}) {
  static_assert(std::is_same_v<Projection1, Projection2>, "lexicographical_compare: the projections must be the same");
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return dpl::lexicographical_compare(policy, a.first, a.last, b.first, b.last,
                                      detail::of_projected(less, project1, project2));
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
detail::position<R> is_sorted_until(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return detail::position_in<R>(
      range, r.index(dpl::is_sorted_until(policy, r.first, r.last, detail::of_projected(less, project, project))));
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
bool is_sorted(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return dpl::is_sorted(policy, r.first, r.last, detail::of_projected(less, project, project));
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
detail::position<R> is_heap_until(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return detail::position_in<R>(
      range, r.index(dpl::is_heap_until(policy, r.first, r.last, detail::of_projected(less, project, project))));
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
bool is_heap(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return dpl::is_heap(policy, r.first, r.last, detail::of_projected(less, project, project));
}

// -- Smallest and largest elements

template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
detail::position<R> min_element(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return detail::position_in<R>(
      range, r.index(dpl::min_element(policy, r.first, r.last, detail::of_projected(less, project, project))));
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
detail::position<R> max_element(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  return detail::position_in<R>(
      range, r.index(dpl::max_element(policy, r.first, r.last, detail::of_projected(less, project, project))));
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
std::ranges::minmax_element_result<detail::position<R>> minmax_element(P &&policy, R &&range, Less less = {},
                                                                       Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  const auto found = dpl::minmax_element(policy, r.first, r.last, detail::of_projected(less, project, project));
  return {detail::position_in<R>(range, r.index(found.first)), detail::position_in<R>(range, r.index(found.second))};
}

// -- Sorts and operations on sorted ranges

template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
detail::position<R> sort(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  dpl::sort(policy, r.first, r.last, detail::of_projected(less, project, project));
  return detail::position_in<R>(range, r.size);
}
template <any_policy P, sized_range R, class Less = std::ranges::less, class Projection = std::identity>
detail::position<R> stable_sort(P &&policy, R &&range, Less less = {}, Projection project = {}) {
  const auto r = detail::arguments_of<P>(range);
  dpl::stable_sort(policy, r.first, r.last, detail::of_projected(less, project, project));
  return detail::position_in<R>(range, r.size);
}
/// Throws errc::invalid if the result is too short for both ranges.
template <any_policy P, sized_range R1, sized_range R2, sized_range Out, class Less = std::ranges::less,
          class Projection1 = std::identity, class Projection2 = std::identity>
std::ranges::merge_result<detail::position<R1>, detail::position<R2>, detail::position<Out>>
merge(P &&policy, R1 &&range1, R2 &&range2, Out &&to, Less less = {}, Projection1 project1 = {},
      Projection2 project2 = {}) {
  static_assert(std::is_same_v<Projection1, Projection2>, "merge: the projections must be the same");
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const auto out = detail::arguments_of<P>(to);
  detail::check_room("merge", out.size, a.size + b.size);
  dpl::merge(policy, a.first, a.last, b.first, b.last, out.first, detail::of_projected(less, project1, project2));
  return {detail::position_in<R1>(range1, a.size), detail::position_in<R2>(range2, b.size),
          detail::position_in<Out>(to, a.size + b.size)};
}
template <any_policy P, sized_range R1, sized_range R2, class Less = std::ranges::less,
          class Projection1 = std::identity, class Projection2 = std::identity>
bool includes(P &&policy, R1 &&range1, R2 &&range2, Less less = {}, Projection1 project1 = {},
              Projection2 project2 = {}) {
  static_assert(std::is_same_v<Projection1, Projection2>, "includes: the projections must be the same");
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  return dpl::includes(policy, a.first, a.last, b.first, b.last, detail::of_projected(less, project1, project2));
}

/// A set operation. Throws errc::invalid if the result is too short for the largest possible one.
#define DPEP_DPL_SET_OPERATION(name, largest)                                                                          \
  template <any_policy P, sized_range R1, sized_range R2, sized_range Out, class Less = std::ranges::less,             \
            class Projection1 = std::identity, class Projection2 = std::identity>                                      \
  std::ranges::in_in_out_result<detail::position<R1>, detail::position<R2>, detail::position<Out>> name(               \
      P &&policy, R1 &&range1, R2 &&range2, Out &&to, Less less = {}, Projection1 project1 = {},                       \
      Projection2 project2 = {}) {                                                                                     \
    static_assert(std::is_same_v<Projection1, Projection2>, #name ": the projections must be the same");               \
    const auto a = detail::arguments_of<P>(range1);                                                                    \
    const auto b = detail::arguments_of<P>(range2);                                                                    \
    const auto out = detail::arguments_of<P>(to);                                                                      \
    detail::check_room(#name, out.size, largest);                                                                      \
    const auto end = dpl::name(policy, a.first, a.last, b.first, b.last, out.first,                                    \
                               detail::of_projected(less, project1, project2));                                        \
    return {detail::position_in<R1>(range1, a.size), detail::position_in<R2>(range2, b.size),                          \
            detail::position_in<Out>(to, out.index(end))};                                                             \
  }
DPEP_DPL_SET_OPERATION(set_union, a.size + b.size)
DPEP_DPL_SET_OPERATION(set_intersection, std::min(a.size, b.size))
DPEP_DPL_SET_OPERATION(set_symmetric_difference, a.size + b.size)
#undef DPEP_DPL_SET_OPERATION
template <any_policy P, sized_range R1, sized_range R2, sized_range Out, class Less = std::ranges::less,
          class Projection1 = std::identity, class Projection2 = std::identity>
std::ranges::set_difference_result<detail::position<R1>, detail::position<Out>>
set_difference(P &&policy, R1 &&range1, R2 &&range2, Out &&to, Less less = {}, Projection1 project1 = {},
               Projection2 project2 = {}) {
  static_assert(std::is_same_v<Projection1, Projection2>, "set_difference: the projections must be the same");
  const auto a = detail::arguments_of<P>(range1);
  const auto b = detail::arguments_of<P>(range2);
  const auto out = detail::arguments_of<P>(to);
  detail::check_room("set_difference", out.size, a.size);
  const auto end = dpl::set_difference(policy, a.first, a.last, b.first, b.last, out.first,
                                       detail::of_projected(less, project1, project2));
  return {detail::position_in<R1>(range1, a.size), detail::position_in<Out>(to, out.index(end))};
}

}  // namespace ranges
}  // namespace oneapi::dpl
