// Common functions (SYCL 2020, section 4.17.7), and the integer functions of the same names.
#pragma once

#include <sycl/builtins/elements.hpp>
#include <sycl/builtins/scalar_math.hpp>

namespace sycl {

template <class A, class B>
  requires detail::number_arguments<A, B>
constexpr auto min(const A &a, const B &b) {
  using T = detail::any_element_t<A, B>;
  return detail::map<T>([](T x, T y) { return y < x ? y : x; }, a, b);
}
template <class A, class B>
  requires detail::number_arguments<A, B>
constexpr auto max(const A &a, const B &b) {
  using T = detail::any_element_t<A, B>;
  return detail::map<T>([](T x, T y) { return x < y ? y : x; }, a, b);
}
template <class A, class Low, class High>
  requires detail::number_arguments<A, Low, High>
constexpr auto clamp(const A &a, const Low &low, const High &high) {
  using T = detail::any_element_t<A, Low, High>;
  return detail::map<T>(
      [](T x, T least, T most) {
        const T above = x < least ? least : x;
        return most < above ? most : above;
      },
      a, low, high);
}

template <class A>
  requires detail::float_arguments<A>
constexpr auto degrees(const A &radians) {
  using T = detail::float_element_t<A>;
  return detail::map<T>([](T x) { return static_cast<T>(x * static_cast<T>(180 / detail::math::pi<double>)); },
                        radians);
}
template <class A>
  requires detail::float_arguments<A>
constexpr auto radians(const A &degrees) {
  using T = detail::float_element_t<A>;
  return detail::map<T>([](T x) { return static_cast<T>(x * static_cast<T>(detail::math::pi<double> / 180)); },
                        degrees);
}
/// a + (b - a) * share, element by element.
template <class A, class B, class C>
  requires detail::float_arguments<A, B, C>
constexpr auto mix(const A &a, const B &b, const C &share) {
  using T = detail::float_element_t<A, B, C>;
  // Rounded three times, as SYCL's definition reads, and not a multiply-add.
  return detail::map<T>(
      [](T x, T y, T s) {
#pragma clang fp contract(off)
        return static_cast<T>(x + (y - x) * s);
      },
      a, b, share);
}
// step and smoothstep with scalar edges have templates of their own: SYCL's explicit template argument is then the type
// of the last argument.
namespace detail {
template <class Edge, class A> constexpr auto step(const Edge &edge, const A &a) {
  using T = float_element_t<Edge, A>;
  return map<T>([](T e, T x) { return x < e ? T(0) : T(1); }, edge, a);
}
template <class Low, class High, class A> constexpr auto smoothstep(const Low &low, const High &high, const A &a) {
  using T = float_element_t<Low, High, A>;
  return map<T>(
      [](T e0, T e1, T x) {
        const T t = sycl::clamp(static_cast<T>((x - e0) / (e1 - e0)), T(0), T(1));
        return static_cast<T>(t * t * (3 - 2 * t));
      },
      low, high, a);
}
template <class A, class... Edges>
concept scalar_edges = many<A> && !(many<Edges> || ...);
}  // namespace detail
template <class Edge, class A>
  requires(detail::float_arguments<Edge, A> && !detail::scalar_edges<A, Edge>)
constexpr auto step(const Edge &edge, const A &a) {
  return detail::step(edge, a);
}
template <class A, class Edge>
  requires(detail::float_arguments<Edge, A> && detail::scalar_edges<A, Edge>)
constexpr auto step(const Edge &edge, const A &a) {
  return detail::step(edge, a);
}
template <class Low, class High, class A>
  requires(detail::float_arguments<Low, High, A> && !detail::scalar_edges<A, Low, High>)
constexpr auto smoothstep(const Low &low, const High &high, const A &a) {
  return detail::smoothstep(low, high, a);
}
template <class A, class Low, class High>
  requires(detail::float_arguments<Low, High, A> && detail::scalar_edges<A, Low, High>)
constexpr auto smoothstep(const Low &low, const High &high, const A &a) {
  return detail::smoothstep(low, high, a);
}
/// Sign: 1, -1, the zero itself, or 0 for NaN.
template <class A>
  requires detail::float_arguments<A>
constexpr auto sign(const A &a) {
  using T = detail::float_element_t<A>;
  return detail::map<T>([](T x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x == 0 ? x : T(0); }, a);
}

}  // namespace sycl
