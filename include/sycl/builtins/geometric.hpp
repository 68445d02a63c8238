// Geometric functions (SYCL 2020, section 4.17.8).
#pragma once

#include <sycl/builtins/elements.hpp>
#include <sycl/builtins/scalar_math.hpp>

namespace sycl {

/// The cross product of the first three elements; a fourth one becomes 0.
template <class A, class B>
  requires(detail::float_arguments<A, B> && detail::many<A> && detail::many<B> &&
           (detail::shape<A>::count == 3 || detail::shape<A>::count == 4))
constexpr auto cross(const A &a, const B &b) {
  using result = typename detail::shape<A>::type;
  using T = detail::element_t<A>;
  const T x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  if constexpr (detail::shape<A>::count == 3)
    return result(x, y, z);
  else
    return result(x, y, z, T(0));
}

template <class A, class B>
  requires detail::float_arguments<A, B>
constexpr auto dot(const A &a, const B &b) {
  using T = detail::float_element_t<A, B>;
  if constexpr (!detail::many<A> && !detail::many<B>)
    return static_cast<T>(static_cast<T>(a) * static_cast<T>(b));
  else {
    T sum = 0;
    for (std::size_t i = 0; i < detail::common_shape<A, B>::count; i++)
      sum += detail::element_at(a, i) * detail::element_at(b, i);
    return sum;
  }
}

template <class A>
  requires detail::float_arguments<A>
constexpr auto length(const A &a) {
  using T = detail::float_element_t<A>;
  if constexpr (!detail::many<A>) {
    return detail::math::fabs(static_cast<T>(a));
  } else {
    // Scales by the largest element, where the squares would overflow or underflow.
    T largest = 0;
    for (std::size_t i = 0; i < detail::shape<A>::count; i++) {
      const T size = detail::math::fabs(static_cast<T>(a[i]));
      largest = size > largest ? size : largest;
    }
    constexpr T big = sizeof(T) == 8 ? T(1e150) : sizeof(T) == 4 ? T(1e18) : T(100);
    using wide = std::conditional_t<std::is_same_v<T, half>, float, T>;
    const wide squares = static_cast<wide>(sycl::dot(a, a));
    if (largest < big && largest > 1 / big) return static_cast<T>(detail::math::sqrt(squares));
    if (largest == 0 || !(largest <= std::numeric_limits<T>::max())) return static_cast<T>(squares);
    wide sum = 0;
    for (std::size_t i = 0; i < detail::shape<A>::count; i++) {
      const wide part = static_cast<wide>(a[i]) / static_cast<wide>(largest);
      sum += part * part;
    }
    return static_cast<T>(static_cast<wide>(largest) * detail::math::sqrt(sum));
  }
}

template <class A, class B>
  requires detail::float_arguments<A, B>
constexpr auto distance(const A &a, const B &b) {
  using T = detail::float_element_t<A, B>;
  return sycl::length(detail::map<T>([](T x, T y) { return static_cast<T>(x - y); }, a, b));
}

/// `a` scaled to length 1; zero stays zero.
template <class A>
  requires detail::float_arguments<A>
constexpr auto normalize(const A &a) {
  using T = detail::float_element_t<A>;
  const T size = sycl::length(a);
  return detail::map<T>([size](T x) { return size == 0 ? x : static_cast<T>(x / size); }, a);
}

template <class A>
  requires detail::float_arguments<A>
constexpr auto fast_length(const A &a) {
  using T = detail::float_element_t<A>;
  using wide = std::conditional_t<std::is_same_v<T, half>, float, T>;
  return static_cast<T>(detail::math::sqrt(static_cast<wide>(sycl::dot(a, a))));
}
template <class A, class B>
  requires detail::float_arguments<A, B>
constexpr auto fast_distance(const A &a, const B &b) {
  using T = detail::float_element_t<A, B>;
  return sycl::fast_length(detail::map<T>([](T x, T y) { return static_cast<T>(x - y); }, a, b));
}
template <class A>
  requires detail::float_arguments<A>
constexpr auto fast_normalize(const A &a) {
  using T = detail::float_element_t<A>;
  const T size = sycl::fast_length(a);
  return detail::map<T>([size](T x) { return size == 0 ? x : static_cast<T>(x / size); }, a);
}

}  // namespace sycl
