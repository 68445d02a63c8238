// Algorithms that keep some of the elements, in order: copy_if, remove, unique, partitions.
#pragma once

#include <oneapi/dpl/detail/elements.hpp>
#include <oneapi/dpl/detail/two_pass.hpp>

namespace oneapi::dpl {
namespace detail {

/// keep(elements, i), of the element alone.
template <class Predicate> struct element_test {
  Predicate holds;
  template <class Data> bool operator()(const Data &data, std::size_t i) const {
    return static_cast<bool>(holds(data[at(i)]));
  }
};
template <class Predicate> element_test(Predicate) -> element_test<Predicate>;
/// The test as a function of the index.
template <class Data, class Keep> auto test_of(const Data &data, const Keep &keep) {
  if constexpr (requires { keep.holds; })
    return loader_of(data, keep.holds);
  else
    return [=](std::size_t i) -> bool { return keep(data, i); };
}
/// Copies the elements for which keep(elements, i). Returns their number.
template <class P, class In, class Out, class Keep>
std::size_t copy_kept(const P &policy, In first, std::size_t n, Out result, Keep keep) {
  call c(policy);
  const auto from = c.read(first, n);
  const auto to = c.write(result, n);
  const std::size_t kept = compact(c, n, test_of(from, keep), from, to);
  c.finish();
  return kept;
}
/// Keeps the elements in place; those behind them are unspecified.
template <class P, class It, class Keep>
std::size_t keep_in_place(const P &policy, It first, std::size_t n, Keep keep) {
  using value = std::remove_cvref_t<value_of<It>>;
  call c(policy);
  const auto data = c.update(first, n);
  value *const copy = c.scratch<value>(n);
  const std::size_t kept = compact(c, n, test_of(data, keep), data, copy);
  c.move_each_index(kept, [=](std::size_t i) { data[at(i)] = copy[i]; });
  c.finish();
  return kept;
}
/// Writes the elements for which holds(element) by `yes`, the others by `no`. Returns the number of the first.
template <class From, class Yes, class No, class Predicate>
std::size_t split(call &c, std::size_t n, const From &from, const Yes &yes, const No &no, const Predicate &holds) {
  if (!n) return 0;
  const auto count = [=](std::size_t first, std::size_t last) {
    std::uint64_t kept = 0;
    for (std::size_t i = first; i < last; ++i) kept += holds(from[at(i)]) ? 1 : 0;
    return kept;
  };
  const auto emit = [=](std::size_t first, std::size_t last, const maybe<std::uint64_t> &before) {
    std::uint64_t to = before.any ? before.value : 0;
    for (std::size_t i = first; i < last; ++i) {
      if (holds(from[at(i)]))
        yes(i, to++);
      else
        no(i, i - to);
    }
  };
  std::uint64_t total = 0;
  c.fetch(
      two_pass<std::uint64_t>(c, n, count, [](std::uint64_t a, std::uint64_t b) { return a + b; }, emit, true), &total);
  return total;
}
template <class Equal> auto starts_run(Equal equal) {
  return [=](const auto &data, std::size_t i) { return i == 0 || !equal(data[at(i - 1)], data[at(i)]); };
}

}  // namespace detail

template <detail::device_policy P, class In, class Out, class Predicate>
Out copy_if(P &&policy, In first, In last, Out result, Predicate holds) {
  return detail::advanced(result, detail::copy_kept(policy, first, detail::length(first, last), result,
                                                    detail::element_test<Predicate>{holds}));
}
template <detail::device_policy P, class In, class Out, class Predicate>
Out remove_copy_if(P &&policy, In first, In last, Out result, Predicate holds) {
  return copy_if(policy, first, last, result, [=](const auto &x) { return !holds(x); });
}
template <detail::device_policy P, class In, class Out, class T>
Out remove_copy(P &&policy, In first, In last, Out result, const T &x) {
  return copy_if(policy, first, last, result, [x](const auto &e) { return !(e == x); });
}
template <detail::device_policy P, class It, class Predicate>
It remove_if(P &&policy, It first, It last, Predicate holds) {
  return detail::advanced(first, detail::keep_in_place(policy, first, detail::length(first, last),
                                                       detail::element_test([=](auto &&x) { return !holds(x); })));
}
template <detail::device_policy P, class It, class T> It remove(P &&policy, It first, It last, const T &x) {
  return remove_if(policy, first, last, [x](const auto &e) { return e == x; });
}
template <detail::device_policy P, class In, class Out, class Equal = std::equal_to<>>
Out unique_copy(P &&policy, In first, In last, Out result, Equal equal = {}) {
  return detail::advanced(
      result, detail::copy_kept(policy, first, detail::length(first, last), result, detail::starts_run(equal)));
}
template <detail::device_policy P, class It, class Equal = std::equal_to<>>
It unique(P &&policy, It first, It last, Equal equal = {}) {
  return detail::advanced(first,
                          detail::keep_in_place(policy, first, detail::length(first, last), detail::starts_run(equal)));
}

template <detail::device_policy P, class In, class Out1, class Out2, class Predicate>
std::pair<Out1, Out2> partition_copy(P &&policy, In first, In last, Out1 yes, Out2 no, Predicate holds) {
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto from = c.read(first, n);
  const auto to_yes = c.write(yes, n);
  const auto to_no = c.write(no, n);
  const std::size_t held = detail::split(
      c, n, from, [=](std::size_t i, std::size_t to) { to_yes[detail::at(to)] = from[detail::at(i)]; },
      [=](std::size_t i, std::size_t to) { to_no[detail::at(to)] = from[detail::at(i)]; }, holds);
  c.finish();
  return {detail::advanced(yes, held), detail::advanced(no, n - held)};
}
template <detail::device_policy P, class It, class Predicate>
It stable_partition(P &&policy, It first, It last, Predicate holds) {
  using value = std::remove_cvref_t<detail::value_of<It>>;
  const std::size_t n = detail::length(first, last);
  detail::call c(policy);
  const auto data = c.update(first, n);
  value *const yes = c.scratch<value>(n), *const no = c.scratch<value>(n);
  const std::size_t held = detail::split(
      c, n, data, [=](std::size_t i, std::size_t to) { yes[to] = data[detail::at(i)]; },
      [=](std::size_t i, std::size_t to) { no[to] = data[detail::at(i)]; }, holds);
  c.move_each_index(n, [=](std::size_t i) { data[detail::at(i)] = i < held ? yes[i] : no[i - held]; });
  c.finish();
  return detail::advanced(first, held);
}
template <detail::device_policy P, class It, class Predicate>
It partition(P &&policy, It first, It last, Predicate holds) {
  return stable_partition(policy, first, last, holds);
}

}  // namespace oneapi::dpl
