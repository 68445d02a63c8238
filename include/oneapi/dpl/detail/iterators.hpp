// Iterators that compute what they refer to: counting, transform, zip, permutation and discard iterators.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <oneapi/dpl/detail/iterator_base.hpp>
#include <sycl/device_copyable.hpp>

namespace oneapi::dpl {

/// The integers from a first one.
template <class Integer>
class counting_iterator : public detail::iterator_base<counting_iterator<Integer>, Integer, Integer> {
public:
  using is_passed_directly = std::true_type;
  counting_iterator() = default;
  explicit counting_iterator(Integer first) : value_(first) {}
  Integer operator*() const { return value_; }

private:
  friend detail::iterator_base<counting_iterator, Integer, Integer>;
  void advance(std::ptrdiff_t n) { value_ = static_cast<Integer>(value_ + static_cast<Integer>(n)); }
  std::ptrdiff_t distance_to(const counting_iterator &other) const {
    return static_cast<std::ptrdiff_t>(other.value_) - static_cast<std::ptrdiff_t>(value_);
  }
  Integer value_{};
};

namespace detail {
/// What a discard_iterator refers to: takes any value and drops it.
struct discarded {
  template <class T> const discarded &operator=(const T &) const { return *this; }
};
}  // namespace detail

/// A destination whose values are not wanted.
class discard_iterator : public detail::iterator_base<discard_iterator, detail::discarded, detail::discarded> {
public:
  using is_passed_directly = std::true_type;
  discard_iterator() = default;
  explicit discard_iterator(std::ptrdiff_t at) : at_(at) {}
  detail::discarded operator*() const { return {}; }

private:
  friend detail::iterator_base<discard_iterator, detail::discarded, detail::discarded>;
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_to(const discard_iterator &other) const { return other.at_ - at_; }
  std::ptrdiff_t at_ = 0;
};

namespace detail {
template <class It> using reference_of = decltype(*std::declval<const It &>());
template <class It> using value_of = typename std::iterator_traits<It>::value_type;
}  // namespace detail

/// The results of a function of another iterator's elements.
template <class Iterator, class Function>
class transform_iterator
    : public detail::iterator_base<
          transform_iterator<Iterator, Function>,
          std::remove_cvref_t<std::invoke_result_t<const Function &, detail::reference_of<Iterator>>>,
          std::invoke_result_t<const Function &, detail::reference_of<Iterator>>> {
public:
  transform_iterator()
    requires std::is_default_constructible_v<Iterator> && std::is_default_constructible_v<Function>
      : transform_iterator(Iterator()) {}
  transform_iterator(Iterator base, Function f = {}) : base_(base), function_(f) {}
  /// Function objects such as lambdas have no assignment; that of the iterator keeps the function.
  transform_iterator(const transform_iterator &) = default;
  transform_iterator &operator=(const transform_iterator &other) {
    base_ = other.base_;
    if constexpr (std::is_copy_assignable_v<Function>) function_ = other.function_;
    return *this;
  }
  decltype(auto) operator*() const { return function_(*base_); }
  const Iterator &base() const { return base_; }
  const Function &functor() const { return function_; }

private:
  friend detail::iterator_base<transform_iterator, typename transform_iterator::value_type,
                               typename transform_iterator::reference>;
  void advance(std::ptrdiff_t n) { base_ += n; }
  std::ptrdiff_t distance_to(const transform_iterator &other) const { return other.base_ - base_; }
  Iterator base_;
  [[no_unique_address]] Function function_;
};
template <class Iterator, class Function>
transform_iterator<Iterator, Function> make_transform_iterator(Iterator base, Function f) {
  return {base, f};
}

/// Elements of several sequences at once, as a tuple of references.
template <class... Iterators>
class zip_iterator
    : public detail::iterator_base<zip_iterator<Iterators...>, std::tuple<detail::value_of<Iterators>...>,
                                   std::tuple<detail::reference_of<Iterators>...>> {
public:
  zip_iterator() = default;
  explicit zip_iterator(Iterators... bases) : bases_(bases...) {}
  explicit zip_iterator(const std::tuple<Iterators...> &bases) : bases_(bases) {}
  std::tuple<detail::reference_of<Iterators>...> operator*() const {
    return std::apply([](const Iterators &...i) { return std::tuple<detail::reference_of<Iterators>...>(*i...); },
                      bases_);
  }
  const std::tuple<Iterators...> &base() const { return bases_; }

private:
  friend detail::iterator_base<zip_iterator, typename zip_iterator::value_type, typename zip_iterator::reference>;
  void advance(std::ptrdiff_t n) {
    std::apply([n](Iterators &...i) { ((i += n), ...); }, bases_);
  }
  std::ptrdiff_t distance_to(const zip_iterator &other) const {
    return std::get<0>(other.bases_) - std::get<0>(bases_);
  }
  std::tuple<Iterators...> bases_;
};
template <class... Iterators> zip_iterator<Iterators...> make_zip_iterator(Iterators... bases) {
  return zip_iterator<Iterators...>(bases...);
}

/// The elements of `source` at the positions that an iterator, or a function of an index, states.
template <class Source, class Map>
class permutation_iterator : public detail::iterator_base<permutation_iterator<Source, Map>, detail::value_of<Source>,
                                                          detail::reference_of<Source>> {
public:
  static constexpr bool by_function = std::is_invocable_v<const Map &, std::ptrdiff_t>;
  permutation_iterator() = default;
  permutation_iterator(Source source, Map map, std::ptrdiff_t at = 0) : source_(source), map_(map), at_(at) {}
  detail::reference_of<Source> operator*() const {
    if constexpr (by_function)
      return *(source_ + static_cast<std::ptrdiff_t>(map_(at_)));
    else
      return *(source_ + static_cast<std::ptrdiff_t>(*(map_ + at_)));
  }
  const Source &base() const { return source_; }
  const Map &map() const { return map_; }
  std::ptrdiff_t position() const { return at_; }

private:
  friend detail::iterator_base<permutation_iterator, detail::value_of<Source>, detail::reference_of<Source>>;
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_to(const permutation_iterator &other) const { return other.at_ - at_; }
  Source source_;
  Map map_;
  std::ptrdiff_t at_ = 0;
};
template <class Source, class Map> permutation_iterator<Source, Map> make_permutation_iterator(Source source, Map map) {
  return {source, map};
}

namespace detail {
/// std::reverse_iterator for kernels, which is trivially copyable.
template <class Iterator>
class backward_iterator
    : public iterator_base<backward_iterator<Iterator>, value_of<Iterator>, reference_of<Iterator>> {
public:
  explicit backward_iterator(Iterator end) : end_(end) {}
  reference_of<Iterator> operator*() const { return *(end_ - 1); }

private:
  friend iterator_base<backward_iterator, value_of<Iterator>, reference_of<Iterator>>;
  void advance(std::ptrdiff_t n) { end_ -= n; }
  std::ptrdiff_t distance_to(const backward_iterator &other) const { return end_ - other.end_; }
  Iterator end_;
};
}  // namespace detail

}  // namespace oneapi::dpl

template <class... I>
struct sycl::is_device_copyable<oneapi::dpl::zip_iterator<I...>>
    : std::bool_constant<(sycl::is_device_copyable_v<I> && ...)> {};
template <class I, class F>
struct sycl::is_device_copyable<oneapi::dpl::transform_iterator<I, F>>
    : std::bool_constant<sycl::is_device_copyable_v<I>> {};
template <class S, class M>
struct sycl::is_device_copyable<oneapi::dpl::permutation_iterator<S, M>>
    : std::bool_constant<sycl::is_device_copyable_v<S>> {};
