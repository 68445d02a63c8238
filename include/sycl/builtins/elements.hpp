// Argument handling of built-in functions: scalars, vecs, swizzles and marrays, mixed and promoted.
//
// The rules are SYCL 2020's (section 4.17). Scalar calls that are ambiguous in SYCL follow the C++ standard library:
// the widest floating type among the arguments is used, and integers alone are converted to double.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <sycl/detail/convert.hpp>
#include <sycl/half.hpp>
#include <sycl/marray.hpp>
#include <sycl/vec.hpp>

namespace sycl::detail {

template <class T>
concept scalar = std::is_arithmetic_v<T> || std::is_same_v<T, half>;

/// The shape of an argument: its type, element type, number of elements, and its type with another element type.
/// Scalars have count 0.
template <class A> struct shape {
  using type = A;
  using element = A;
  static constexpr std::size_t count = 0;
  template <class E> using of = E;
};
template <class T, int N> struct shape<vec<T, N>> {
  using type = vec<T, N>;
  using element = T;
  static constexpr std::size_t count = N;
  template <class E> using of = vec<E, N>;
};
template <class R, class V, int... I> struct shape<swizzle<R, V, I...>> : shape<R> {};
template <class T, std::size_t N> struct shape<marray<T, N>> {
  using type = marray<T, N>;
  using element = T;
  static constexpr std::size_t count = N;
  template <class E> using of = marray<E, N>;
};
template <class A> using element_t = typename shape<A>::element;
template <class A> inline constexpr bool is_scalar_argument = shape<A>::count == 0;

template <class A>
concept many = (shape<A>::count > 0);

/// The common shape of the arguments: that of the first argument that is not a scalar.
template <class A, class... Rest> struct common_shape : shape<A> {};
template <class A, class B, class... Rest>
  requires(!many<A>)
struct common_shape<A, B, Rest...> : common_shape<B, Rest...> {};

/// Whether arguments can be combined: all scalars, or one shape and scalars that are broadcast to it.
template <class A, class Shape>
concept fits_shape =
    (scalar<A> && (Shape::count == 0 || std::is_convertible_v<A, typename Shape::element>)) ||
    (many<A> && std::is_same_v<typename shape<A>::template of<char>, typename Shape::template of<char>>);
template <class... A>
concept matching = (fits_shape<A, common_shape<A...>> && ...);

/// The widest floating type among the scalars; double if there is none.
template <class... A>
using promoted =
    std::conditional_t<(std::is_same_v<A, double> || ...), double,
                       std::conditional_t<(std::is_same_v<A, float> || ...), float,
                                          std::conditional_t<(std::is_same_v<A, half> || ...), half, double>>>;
template <class... A> struct float_element {
  using type = promoted<A...>;
};
template <class... A>
  requires(many<A> || ...)
struct float_element<A...> {
  using type = typename common_shape<A...>::element;
};
template <class... A> using float_element_t = typename float_element<A...>::type;

/// The element type of functions of integers or floats: no promotion if all are equal, so char + char stays char.
template <class... A> struct any_element : float_element<A...> {};
template <class... A>
  requires(!(many<A> || ...) && (std::is_integral_v<A> && ...))
struct any_element<A...> {
  using type = std::common_type_t<A...>;
};
template <class A, class... Rest>
  requires(std::is_integral_v<A> && (std::is_same_v<A, Rest> && ...))
struct any_element<A, Rest...> {
  using type = A;
};
template <class... A> using any_element_t = typename any_element<A...>::type;

template <class... A>
concept same_elements = (((std::is_same_v<element_t<A>, typename common_shape<A...>::element>) || !many<A>) && ...);
template <class... A>
concept float_arguments = matching<A...> && same_elements<A...> && is_floating<float_element_t<A...>>;
template <class... A>
concept number_arguments = matching<A...> && same_elements<A...>;
template <class... A>
concept integer_arguments = number_arguments<A...> && std::is_integral_v<any_element_t<A...>>;

// The scalar functions as SYCL overloads them. They tell which of them a call with objects of classes means.
half chosen(half);
half chosen(half, half);
half chosen(half, half, half);
float chosen(float);
float chosen(float, float);
float chosen(float, float, float);
double chosen(double);
double chosen(double, double);
double chosen(double, double, double);
template <class... A> using chosen_t = decltype(chosen(std::declval<const A &>()...));

/// Whether scalar functions take the arguments by a conversion of classes to floats. The functions for such arguments
/// are templates with a parameter pack, which makes every other template that fits better: those of the class itself.
template <class... A>
concept converted = (std::is_class_v<A> || ...) && !(many<A> || ...) && requires { typename chosen_t<A...>; };
template <std::size_t Count, class... A>
concept converted_arguments = sizeof...(A) == Count && converted<A...>;

/// A scalar argument of a function with an out-parameter, converted to a float type if it is an object of a class.
template <class A>
concept scalar_float = !many<A> && (float_arguments<A> || converted<A>);
template <class A> constexpr auto as_float(const A &a) {
  if constexpr (converted<A>)
    return static_cast<chosen_t<A>>(a);
  else
    return static_cast<float_element_t<A>>(a);
}

template <class A> constexpr decltype(auto) element_at(const A &a, std::size_t i) {
  if constexpr (many<A>)
    return a[i];
  else
    return a;
}

/// Applies `f` to each element, E(a[i])...; scalars are broadcast. The result has the arguments' common shape.
template <class E, class F, class... A> constexpr auto map(F f, const A &...a) {
  using common = common_shape<A...>;
  if constexpr (common::count == 0) {
    return f(static_cast<E>(a)...);
  } else {
    auto at = [&](std::size_t i) { return f(static_cast<E>(element_at(a, i))...); };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return typename common::template of<decltype(at(0))>{at(I)...};  // in braces: evaluated in order
    }(std::make_index_sequence<common::count>());
  }
}

/// Like map, for an `f` that supports float and double only: halves are converted to float.
template <class E, class F, class... A> constexpr auto map_float(F f, const A &...a) {
  if constexpr (std::is_same_v<E, half>)
    return map<half>([&](auto... x) { return static_cast<half>(f(static_cast<float>(x)...)); }, a...);
  else
    return map<E>(f, a...);
}

}  // namespace sycl::detail
