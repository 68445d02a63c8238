// Reductions, scans, and both by segment.
#pragma once

#include <functional>
#include <utility>

#include <oneapi/dpl/detail/elements.hpp>
#include <oneapi/dpl/detail/scan.hpp>

namespace oneapi::dpl {
namespace detail {

/// init op load(0) op … op load(n - 1)
template <class T, class Load, class Op>
T reduce_from(call &c, std::size_t n, const T &init, const Load &load, const Op &op) {
  const std::optional<T> all = reduce_values<T>(c, n, load, op);
  c.finish();
  return all ? static_cast<T>(op(init, *all)) : init;
}
template <bool inclusive, class P, class In, class Out, class T, class F, class Op>
Out scan_of(const P &policy, In first, In last, Out result, const maybe<T> &init, F f, Op op) {
  const std::size_t n = length(first, last);
  call c(policy);
  const auto from = c.read(first, n);
  const auto to = c.write(result, n);
  if constexpr (std::is_same_v<F, same>)
    scan_into<inclusive, T>(c, n, loader_of(from), to, init, op);
  else
    scan_into<inclusive, T>(c, n, loader_of(from, f), to, init, op);
  c.finish();
  return advanced(result, n);
}

/// Whether element i is the first of a segment of equal keys.
template <class Keys, class Equal> auto segment_start(const Keys &keys, const Equal &equal) {
  return [=](std::size_t i) { return i == 0 || !equal(keys[at(i - 1)], keys[at(i)]); };
}
/// The summary of elements of segments: how many segments begin there, and the sum since the last beginning.
template <class T> struct segments {
  std::uint64_t begun;
  T sum;
};
template <class T, class Op> auto combine_segments(const Op &op) {
  return [=](const segments<T> &a, const segments<T> &b) {
    return segments<T>{a.begun + b.begun, b.begun ? b.sum : static_cast<T>(op(a.sum, b.sum))};
  };
}
template <class T, class Values, class Starts, class Op>
auto summarize_segments(const Values &values, const Starts &starts, const Op &op) {
  return [=](std::size_t first, std::size_t last) {
    segments<T> all{starts(first) ? 1u : 0u, static_cast<T>(values[at(first)])};
    for (std::size_t i = first + 1; i < last; ++i) {
      const T x = static_cast<T>(values[at(i)]);
      const bool start = starts(i);
      all.begun += start;
      all.sum = start ? x : static_cast<T>(op(all.sum, x));
    }
    return all;
  };
}
template <bool inclusive, class P, class Keys, class Values, class Out, class T, class Equal, class Op>
Out scan_segments(const P &policy, Keys first, Keys last, Values value, Out result, T init, Equal equal, Op op) {
  const std::size_t n = length(first, last);
  call c(policy);
  const auto keys = c.read(first, n);
  const auto values = c.read(value, n);
  const auto to = c.write(result, n);
  const auto starts = segment_start(keys, equal);
  const auto emit = [=](std::size_t begin, std::size_t end, const maybe<segments<T>> &before) {
    T sum = before.any ? before.value.sum : init;
    for (std::size_t i = begin; i < end; ++i) {
      const T x = static_cast<T>(values[at(i)]);
      const bool start = starts(i);
      if constexpr (inclusive) {
        sum = start ? x : static_cast<T>(op(sum, x));
        to[at(i)] = sum;
      } else {
        to[at(i)] = start ? init : static_cast<T>(op(init, sum));
        sum = start ? x : static_cast<T>(op(sum, x));
      }
    }
  };
  if (n) two_pass<segments<T>>(c, n, summarize_segments<T>(values, starts, op), combine_segments<T>(op), emit);
  c.finish();
  return advanced(result, n);
}

}  // namespace detail

template <detail::device_policy P, class It, class T, class Op> T reduce(P &&policy, It first, It last, T init, Op op) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto from = c.read(first, n);
  return detail::reduce_from(c, n, init, detail::loader_of(from), op);
}
template <detail::device_policy P, class It, class T> T reduce(P &&policy, It first, It last, T init) {
  return reduce(policy, first, last, init, std::plus<>());
}
template <detail::device_policy P, class It> detail::value_of<It> reduce(P &&policy, It first, It last) {
  return reduce(policy, first, last, detail::value_of<It>(), std::plus<>());
}
template <detail::device_policy P, class It, class T, class Op, class F>
T transform_reduce(P &&policy, It first, It last, T init, Op op, F f) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto from = c.read(first, n);
  return detail::reduce_from(c, n, init, [=](std::size_t i) { return f(from[detail::at(i)]); }, op);
}
template <detail::device_policy P, class It1, class It2, class T, class Op, class F>
T transform_reduce(P &&policy, It1 first1, It1 last1, It2 first2, T init, Op op, F f) {
  const std::size_t n = detail::length(first1, last1);
  detail::call c(policy);
  const auto a = c.read(first1, n);
  const auto b = c.read(first2, n);
  return detail::reduce_from(c, n, init, [=](std::size_t i) { return f(a[detail::at(i)], b[detail::at(i)]); }, op);
}
template <detail::device_policy P, class It1, class It2, class T>
T transform_reduce(P &&policy, It1 first1, It1 last1, It2 first2, T init) {
  return transform_reduce(policy, first1, last1, first2, init, std::plus<>(), std::multiplies<>());
}

template <detail::device_policy P, class In, class Out, class Op, class T>
Out inclusive_scan(P &&policy, In first, In last, Out result, Op op, T init) {
  return detail::scan_of<true>(policy, first, last, result, detail::maybe<T>{init, true}, detail::same(), op);
}
template <detail::device_policy P, class In, class Out, class Op>
Out inclusive_scan(P &&policy, In first, In last, Out result, Op op) {
  using T = detail::value_of<In>;
  return detail::scan_of<true>(policy, first, last, result, detail::maybe<T>{}, detail::same(), op);
}
template <detail::device_policy P, class In, class Out> Out inclusive_scan(P &&policy, In first, In last, Out result) {
  return inclusive_scan(policy, first, last, result, std::plus<>());
}
template <detail::device_policy P, class In, class Out, class T, class Op>
Out exclusive_scan(P &&policy, In first, In last, Out result, T init, Op op) {
  return detail::scan_of<false>(policy, first, last, result, detail::maybe<T>{init, true}, detail::same(), op);
}
template <detail::device_policy P, class In, class Out, class T>
Out exclusive_scan(P &&policy, In first, In last, Out result, T init) {
  return exclusive_scan(policy, first, last, result, init, std::plus<>());
}
template <detail::device_policy P, class In, class Out, class Op, class F, class T>
Out transform_inclusive_scan(P &&policy, In first, In last, Out result, Op op, F f, T init) {
  return detail::scan_of<true>(policy, first, last, result, detail::maybe<T>{init, true}, f, op);
}
template <detail::device_policy P, class In, class Out, class Op, class F>
Out transform_inclusive_scan(P &&policy, In first, In last, Out result, Op op, F f) {
  using T = std::remove_cvref_t<std::invoke_result_t<F &, detail::value_of<In> &>>;
  return detail::scan_of<true>(policy, first, last, result, detail::maybe<T>{}, f, op);
}
template <detail::device_policy P, class In, class Out, class T, class Op, class F>
Out transform_exclusive_scan(P &&policy, In first, In last, Out result, T init, Op op, F f) {
  return detail::scan_of<false>(policy, first, last, result, detail::maybe<T>{init, true}, f, op);
}
template <detail::device_policy P, class In, class Out, class Op>
Out adjacent_difference(P &&policy, In first, In last, Out result, Op op) {
  using value = detail::value_of<In>;
  const std::size_t n = detail::length(first, last);
  return detail::make_each(policy, n, result, [&](detail::call &c) {
    return [from = c.read(first, n), op](std::size_t i) {
      const value x = from[detail::at(i)];
      return i ? static_cast<value>(op(x, from[detail::at(i - 1)])) : x;
    };
  });
}
template <detail::device_policy P, class In, class Out>
Out adjacent_difference(P &&policy, In first, In last, Out result) {
  return adjacent_difference(policy, first, last, result, std::minus<>());
}

/// For each run of equal keys, its key and the sum of its values. Returns the ends of both.
template <detail::device_policy P, class Keys, class Values, class OutKeys, class OutValues,
          class Equal = std::equal_to<>, class Op = std::plus<>>
std::pair<OutKeys, OutValues> reduce_by_segment(P &&policy, Keys first, Keys last, Values value, OutKeys to_keys,
                                                OutValues to_values, Equal equal = {}, Op op = {}) {
  using T = std::remove_cvref_t<detail::value_of<Values>>;
  using state = detail::segments<T>;
  const std::size_t n = detail::length(first, last);
  if (!n) return {to_keys, to_values};
  detail::call c(policy);
  const auto keys = c.read(first, n);
  const auto values = c.read(value, n);
  const auto key_out = c.write(to_keys, n);
  const auto sum_out = c.write(to_values, n);
  const auto starts = detail::segment_start(keys, equal);
  const auto emit = [=](std::size_t begin, std::size_t end, const detail::maybe<state> &before) {
    state now = before.any ? before.value : state{};
    for (std::size_t i = begin; i < end; ++i) {
      const T x = static_cast<T>(values[detail::at(i)]);
      if (starts(i)) {
        if (now.begun) sum_out[detail::at(now.begun - 1)] = now.sum;
        key_out[detail::at(now.begun)] = keys[detail::at(i)];
        now = {now.begun + 1, x};
      } else {
        now.sum = static_cast<T>(op(now.sum, x));
      }
    }
    if (end == n) sum_out[detail::at(now.begun - 1)] = now.sum;
  };
  state total{};
  c.fetch(detail::two_pass<state>(c, n, detail::summarize_segments<T>(values, starts, op),
                                  detail::combine_segments<T>(op), emit, true),
          &total);
  c.finish();
  return {detail::advanced(to_keys, total.begun), detail::advanced(to_values, total.begun)};
}
template <detail::device_policy P, class Keys, class Values, class OutKeys, class OutValues, class... More>
std::pair<OutKeys, OutValues> reduce_by_key(P &&policy, Keys first, Keys last, Values value, OutKeys to_keys,
                                            OutValues to_values, More... more) {
  return reduce_by_segment(policy, first, last, value, to_keys, to_values, more...);
}
template <detail::device_policy P, class Keys, class Values, class Out, class Equal = std::equal_to<>,
          class Op = std::plus<>>
Out inclusive_scan_by_segment(P &&policy, Keys first, Keys last, Values value, Out result, Equal equal = {},
                              Op op = {}) {
  using T = std::remove_cvref_t<detail::value_of<Values>>;
  return detail::scan_segments<true>(policy, first, last, value, result, T(), equal, op);
}
template <detail::device_policy P, class Keys, class Values, class Out, class T, class Equal = std::equal_to<>,
          class Op = std::plus<>>
Out exclusive_scan_by_segment(P &&policy, Keys first, Keys last, Values value, Out result, T init, Equal equal = {},
                              Op op = {}) {
  return detail::scan_segments<false>(policy, first, last, value, result, init, equal, op);
}
template <detail::device_policy P, class Keys, class Values, class Out>
Out exclusive_scan_by_segment(P &&policy, Keys first, Keys last, Values value, Out result) {
  using T = std::remove_cvref_t<detail::value_of<Values>>;
  return detail::scan_segments<false>(policy, first, last, value, result, T(), std::equal_to<>(), std::plus<>());
}

}  // namespace oneapi::dpl
