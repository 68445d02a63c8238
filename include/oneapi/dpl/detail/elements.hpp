// Algorithms whose results are independent of each other: for_each, transform, fill, generate, copies, replacements,
// reversals and rotations.
#pragma once

#include <oneapi/dpl/detail/call.hpp>

namespace oneapi::dpl {
namespace detail {

/// Signed, as the index operators of iterators want it.
inline std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

struct same {
  template <class T> constexpr T &&operator()(T &&x) const { return static_cast<T &&>(x); }
};
/// to[i] = f(i) for i < n.
template <class P, class Out, class Make> Out make_each(const P &policy, std::size_t n, Out result, const Make &make) {
  call c(policy);
  const auto to = c.write(result, n);
  const auto value = make(c);
  c.for_each_index(n, [=](std::size_t i) { to[at(i)] = value(i); });
  c.finish();
  return advanced(result, n);
}
/// to[i] = f(from[i]) for i < n.
template <class P, class In, class Out, class F>
Out map_each(const P &policy, In first, std::size_t n, Out result, F f) {
  call c(policy);
  const auto from = c.read(first, n);
  const auto to = c.write(result, n);
  const auto write = [=](std::size_t i) { to[at(i)] = f(from[at(i)]); };
  if constexpr (std::is_same_v<F, same>)
    c.move_each_index(n, write);
  else
    c.for_each_index(n, write);
  c.finish();
  return advanced(result, n);
}
/// Writes f(data) for the n elements, by way of a copy: make(copy, i) is the new element i.
template <class P, class It, class Make> void rearrange(const P &policy, It first, std::size_t n, const Make &make) {
  using value = std::remove_cvref_t<value_of<It>>;
  call c(policy);
  const auto data = c.update(first, n);
  value *const copy = c.scratch<value>(n);
  c.move_each_index(n, [=](std::size_t i) { copy[i] = data[at(i)]; });
  c.move_each_index(n, [=](std::size_t i) { data[at(i)] = copy[make(i)]; });
  c.finish();
}

}  // namespace detail

template <detail::device_policy P, class It, class F> void for_each(P &&policy, It first, It last, F f) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto data = c.update(first, n);
  c.for_each_index(n, [=](std::size_t i) { f(data[detail::at(i)]); });
  c.finish();
}
template <detail::device_policy P, class It, class Size, class F> It for_each_n(P &&policy, It first, Size n, F f) {
  const It last = n > 0 ? detail::advanced(first, static_cast<std::size_t>(n)) : first;
  for_each(policy, first, last, f);
  return last;
}

template <detail::device_policy P, class In, class Out, class F>
Out transform(P &&policy, In first, In last, Out result, F f) {
  return detail::map_each(policy, first, detail::length(first, last), result, f);
}
template <detail::device_policy P, class In1, class In2, class Out, class F>
Out transform(P &&policy, In1 first1, In1 last1, In2 first2, Out result, F f) {
  const std::size_t n = detail::length(first1, last1);
  return detail::make_each(policy, n, result, [&](detail::call &c) {
    return [a = c.read(first1, n), b = c.read(first2, n), f](std::size_t i) {
      return f(a[detail::at(i)], b[detail::at(i)]);
    };
  });
}
/// Leaves the elements of the result where the predicate does not hold.
template <detail::device_policy P, class In, class Out, class F, class Predicate>
Out transform_if(P &&policy, In first, In last, Out result, F f, Predicate holds) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto from = c.read(first, n);
  const auto to = c.update(result, n);
  c.for_each_index(n, [=](std::size_t i) {
    if (holds(from[detail::at(i)])) to[detail::at(i)] = f(from[detail::at(i)]);
  });
  c.finish();
  return detail::advanced(result, n);
}
template <detail::device_policy P, class In1, class In2, class Out, class F, class Predicate>
Out transform_if(P &&policy, In1 first1, In1 last1, In2 first2, Out result, F f, Predicate holds) {
  const std::size_t n = detail::length(first1, last1);
  detail::call c(policy);
  const auto a = c.read(first1, n);
  const auto b = c.read(first2, n);
  const auto to = c.update(result, n);
  c.for_each_index(n, [=](std::size_t i) {
    const auto k = detail::at(i);
    if (holds(a[k], b[k])) to[k] = f(a[k], b[k]);
  });
  c.finish();
  return detail::advanced(result, n);
}

template <detail::device_policy P, class Out, class T> void fill(P &&policy, Out first, Out last, const T &x) {
  detail::make_each(policy, detail::length(first, last), first,
                    [&](detail::call &) { return [x](std::size_t) { return x; }; });
}
template <detail::device_policy P, class Out, class Size, class T>
Out fill_n(P &&policy, Out first, Size n, const T &x) {
  if (n <= 0) return first;
  return detail::make_each(policy, static_cast<std::size_t>(n), first,
                           [&](detail::call &) { return [x](std::size_t) { return x; }; });
}
template <detail::device_policy P, class Out, class F> void generate(P &&policy, Out first, Out last, F f) {
  detail::make_each(policy, detail::length(first, last), first,
                    [&](detail::call &) { return [f](std::size_t) { return f(); }; });
}
template <detail::device_policy P, class Out, class Size, class F> Out generate_n(P &&policy, Out first, Size n, F f) {
  if (n <= 0) return first;
  return detail::make_each(policy, static_cast<std::size_t>(n), first,
                           [&](detail::call &) { return [f](std::size_t) { return f(); }; });
}

template <detail::device_policy P, class In, class Out> Out copy(P &&policy, In first, In last, Out result) {
  return detail::map_each(policy, first, detail::length(first, last), result, detail::same());
}
template <detail::device_policy P, class In, class Size, class Out>
Out copy_n(P &&policy, In first, Size n, Out result) {
  return n > 0 ? detail::map_each(policy, first, static_cast<std::size_t>(n), result, detail::same()) : result;
}
template <detail::device_policy P, class In, class Out> Out move(P &&policy, In first, In last, Out result) {
  return copy(policy, first, last, result);
}
template <detail::device_policy P, class It1, class It2>
It2 swap_ranges(P &&policy, It1 first1, It1 last1, It2 first2) {
  const std::size_t n = detail::length(first1, last1);
  detail::call c(policy);
  const auto a = c.update(first1, n);
  const auto b = c.update(first2, n);
  c.for_each_index(n, [=](std::size_t i) {
    const detail::value_of<It1> x = a[detail::at(i)];
    a[detail::at(i)] = b[detail::at(i)];
    b[detail::at(i)] = x;
  });
  c.finish();
  return detail::advanced(first2, n);
}

template <detail::device_policy P, class It, class Predicate, class T>
void replace_if(P &&policy, It first, It last, Predicate holds, const T &x) {
  for_each(policy, first, last, [=](auto &&element) {
    if (holds(element)) element = x;
  });
}
template <detail::device_policy P, class It, class T>
void replace(P &&policy, It first, It last, const T &old, const T &x) {
  replace_if(policy, first, last, [old](const auto &element) { return element == old; }, x);
}
template <detail::device_policy P, class In, class Out, class Predicate, class T>
Out replace_copy_if(P &&policy, In first, In last, Out result, Predicate holds, const T &x) {
  using value = detail::value_of<In>;
  return transform(policy, first, last, result,
                   [=](const auto &e) { return holds(e) ? static_cast<value>(x) : static_cast<value>(e); });
}
template <detail::device_policy P, class In, class Out, class T>
Out replace_copy(P &&policy, In first, In last, Out result, const T &old, const T &x) {
  return replace_copy_if(policy, first, last, result, [old](const auto &e) { return e == old; }, x);
}

template <detail::device_policy P, class It> void reverse(P &&policy, It first, It last) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto data = c.update(first, n);
  c.move_each_index(n / 2, [=](std::size_t i) {
    const detail::value_of<It> x = data[detail::at(i)];
    data[detail::at(i)] = data[detail::at(n - 1 - i)];
    data[detail::at(n - 1 - i)] = x;
  });
  c.finish();
}
template <detail::device_policy P, class In, class Out> Out reverse_copy(P &&policy, In first, In last, Out result) {
  const std::size_t n = detail::length(first, last);
  return detail::make_each(policy, n, result, [&](detail::call &c) {
    return [from = c.read(first, n), n](std::size_t i) { return from[detail::at(n - 1 - i)]; };
  });
}
/// Makes the element at `middle` the first one. Returns the new position of the first one.
template <detail::device_policy P, class It> It rotate(P &&policy, It first, It middle, It last) {
  const std::size_t n = detail::length(first, last), by = detail::length(first, middle);
  if (by && by < n)
    detail::rearrange(policy, first, n, [=](std::size_t i) { return i < n - by ? i + by : i - (n - by); });
  return detail::advanced(first, n - by);
}
template <detail::device_policy P, class In, class Out>
Out rotate_copy(P &&policy, In first, In middle, In last, Out result) {
  const std::size_t n = detail::length(first, last), by = detail::length(first, middle);
  return detail::make_each(policy, n, result, [&](detail::call &c) {
    return [from = c.read(first, n), n, by](std::size_t i) {
      return from[detail::at(i < n - by ? i + by : i - (n - by))];
    };
  });
}
/// Moves elements towards the beginning by `by`. Returns the end of those that are left.
template <detail::device_policy P, class It>
It shift_left(P &&policy, It first, It last, typename std::iterator_traits<It>::difference_type by) {
  const std::size_t n = detail::length(first, last);
  if (by <= 0) return last;
  if (static_cast<std::size_t>(by) >= n) return first;
  const std::size_t step = static_cast<std::size_t>(by), left = n - step;
  detail::rearrange(policy, first, n, [=](std::size_t i) { return i < left ? i + step : i; });
  return detail::advanced(first, left);
}
template <detail::device_policy P, class It>
It shift_right(P &&policy, It first, It last, typename std::iterator_traits<It>::difference_type by) {
  const std::size_t n = detail::length(first, last);
  if (by <= 0) return first;
  if (static_cast<std::size_t>(by) >= n) return last;
  const auto step = static_cast<std::size_t>(by);
  detail::rearrange(policy, first, n, [=](std::size_t i) { return i < step ? i : i - step; });
  return detail::advanced(first, step);
}

}  // namespace oneapi::dpl
