// From ranges to the iterators that the algorithms take.
#pragma once

#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>

#include <oneapi/dpl/detail/call.hpp>

namespace oneapi::dpl::detail {

template <class R>
concept sized_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;
template <class P>
concept any_policy = execution::is_execution_policy_v<std::remove_cvref_t<P>>;
/// The results of algorithms refer to positions of ranges that outlive the call.
template <class R> using position = std::ranges::borrowed_iterator_t<R>;

/// The elements of a view of the standard library, such as iota or a transformation of a span. Kernels get a copy of
/// the view.
template <class View>
class view_iterator : public iterator_base<view_iterator<View>, std::ranges::range_value_t<View>,
                                           std::ranges::range_reference_t<View>> {
public:
  using is_passed_directly = std::true_type;
  explicit view_iterator(View view) : view_(std::move(view)) {}
  /// Views with function objects such as lambdas may have no assignment; that of the iterator keeps the view.
  view_iterator(const view_iterator &) = default;
  view_iterator &operator=(const view_iterator &other) {
    if constexpr (std::is_copy_assignable_v<View>) view_ = other.view_;
    at_ = other.at_;
    return *this;
  }
  std::ranges::range_reference_t<View> operator*() const {
    return std::ranges::begin(const_cast<View &>(view_))[static_cast<std::ranges::range_difference_t<View>>(at_)];
  }

private:
  friend iterator_base<view_iterator, std::ranges::range_value_t<View>, std::ranges::range_reference_t<View>>;
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_to(const view_iterator &other) const { return other.at_ - at_; }
  View view_;
  std::ptrdiff_t at_ = 0;
};

/// The first element of a range, for algorithms with this policy.
template <class P, sized_range R> auto begin_of(R &range) {
  using view = std::remove_const_t<R>;
  if constexpr (host_policy<P>)
    return std::ranges::begin(range);
  else if constexpr (std::ranges::contiguous_range<R>)
    return std::ranges::data(range);
  else if constexpr (std::ranges::view<view> && std::is_trivially_copy_constructible_v<view> &&
                     std::is_trivially_destructible_v<view>)
    return view_iterator<view>(range);
  else
    return std::ranges::begin(range);
}
template <sized_range R> std::size_t size_of(R &range) { return static_cast<std::size_t>(std::ranges::size(range)); }
/// The position of element i.
template <sized_range R> position<R> position_in(R &range, std::size_t i) {
  if constexpr (std::ranges::borrowed_range<R>)
    return std::ranges::begin(range) + static_cast<std::ranges::range_difference_t<R>>(i);
  else
    return {};
}

// Function objects of ranges are those of the algorithms, which know them.
template <class F> auto plain(F f) { return f; }
inline std::less<> plain(std::ranges::less) { return {}; }
inline std::greater<> plain(std::ranges::greater) { return {}; }
inline std::equal_to<> plain(std::ranges::equal_to) { return {}; }

/// f of an element's projection.
template <class F, class Projection> auto of_projected(F f, Projection project) {
  if constexpr (std::is_same_v<Projection, std::identity> && !std::is_member_pointer_v<F>)
    return plain(f);
  else
    return [=](const auto &x) -> decltype(auto) { return std::invoke(f, std::invoke(project, x)); };
}
/// f of the projections of two elements.
template <class F, class Projection1, class Projection2> auto of_projected(F f, Projection1 first, Projection2 second) {
  constexpr bool as_they_are = std::is_same_v<Projection1, std::identity> && std::is_same_v<Projection2, std::identity>;
  if constexpr (as_they_are && !std::is_member_pointer_v<F>)
    return plain(f);
  else
    return [=](const auto &a, const auto &b) -> decltype(auto) {
      return std::invoke(f, std::invoke(first, a), std::invoke(second, b));
    };
}

}  // namespace oneapi::dpl::detail

template <class View> struct sycl::is_device_copyable<oneapi::dpl::detail::view_iterator<View>> : std::true_type {};
