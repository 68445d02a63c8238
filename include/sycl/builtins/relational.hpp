// Relational functions (SYCL 2020, section 4.17.9). They return bool for scalars, marray<bool> for marrays, and for
// vecs integers of the elements' size, -1 for true.
#pragma once

#include <sycl/builtins/elements.hpp>

namespace sycl {

namespace detail {

template <class E, class F, class... A> constexpr auto map_relation(F f, const A &...a) {
  using common = common_shape<A...>;
  if constexpr (common::count > 0 && is_vec<typename common::type>)
    return map<E>([&](auto... x) { return static_cast<relation_t<E>>(-static_cast<int>(f(x...))); }, a...);
  else
    return map<E>([&](auto... x) -> bool { return f(x...); }, a...);
}

/// The type of a truth value about all elements.
template <class C> using truth_t = std::conditional_t<is_vec<C>, int, bool>;

/// Whether an element of a condition is true: for vecs, the highest bit decides.
template <class C, class T> constexpr bool holds(T element) {
  if constexpr (is_vec<C> && std::is_integral_v<T>)
    return static_cast<std::make_signed_t<T>>(element) < 0;
  else
    return static_cast<bool>(element);
}

}  // namespace detail

#define DPEP_RELATION_1(NAME, ...)                                                                                     \
  template <class A>                                                                                                   \
    requires detail::float_arguments<A>                                                                                \
  constexpr auto NAME(const A &a) {                                                                                    \
    using T = detail::float_element_t<A>;                                                                              \
    return detail::map_relation<T>([](T x) { return __VA_ARGS__; }, a);                                                \
  }                                                                                                                    \
  template <class... A>                                                                                                \
    requires detail::converted_arguments<1, A...>                                                                      \
  constexpr bool NAME(const A &...a) {                                                                                 \
    return sycl::NAME(static_cast<detail::chosen_t<A...>>(a)...);                                                      \
  }
#define DPEP_RELATION_2(NAME, ...)                                                                                     \
  template <class A, class B>                                                                                          \
    requires detail::float_arguments<A, B>                                                                             \
  constexpr auto NAME(const A &a, const B &b) {                                                                        \
    using T = detail::float_element_t<A, B>;                                                                           \
    return detail::map_relation<T>([](T x, T y) { return __VA_ARGS__; }, a, b);                                        \
  }                                                                                                                    \
  template <class... A>                                                                                                \
    requires detail::converted_arguments<2, A...>                                                                      \
  constexpr bool NAME(const A &...a) {                                                                                 \
    return sycl::NAME(static_cast<detail::chosen_t<A...>>(a)...);                                                      \
  }
DPEP_RELATION_2(isequal, x == y)
DPEP_RELATION_2(isnotequal, x != y)
DPEP_RELATION_2(isgreater, x > y)
DPEP_RELATION_2(isgreaterequal, x >= y)
DPEP_RELATION_2(isless, x < y)
DPEP_RELATION_2(islessequal, x <= y)
DPEP_RELATION_2(islessgreater, x<y || x> y)
DPEP_RELATION_2(isordered, x == x && y == y)
DPEP_RELATION_2(isunordered, x != x || y != y)
DPEP_RELATION_1(isfinite, __builtin_isfinite(x))
DPEP_RELATION_1(isinf, __builtin_isinf(x))
DPEP_RELATION_1(isnan, __builtin_isnan(x))
DPEP_RELATION_1(isnormal, __builtin_isnormal(x))
DPEP_RELATION_1(signbit, __builtin_signbit(x))
#undef DPEP_RELATION_1
#undef DPEP_RELATION_2

/// Whether any (all) elements are true: nonzero for bool and marray<bool>; the highest bit set for vecs and integers.
/// For vecs, the result is an int, as OpenCL's.
template <class A> constexpr auto any(const A &a) {
  using shape = detail::shape<A>;
  if constexpr (shape::count == 0) {
    return detail::holds<std::conditional_t<std::is_same_v<A, bool>, bool, vec<int, 2>>>(a);
  } else {
    bool result = false;
    for (std::size_t i = 0; i < shape::count; i++) result |= detail::holds<typename shape::type>(a[i]);
    return detail::truth_t<typename shape::type>(result);
  }
}
template <class A> constexpr auto all(const A &a) {
  using shape = detail::shape<A>;
  if constexpr (shape::count == 0) {
    return sycl::any(a);
  } else {
    bool result = true;
    for (std::size_t i = 0; i < shape::count; i++) result &= detail::holds<typename shape::type>(a[i]);
    return detail::truth_t<typename shape::type>(result);
  }
}

/// Selects bits: those of `b` where the bits of `c` are set, and of `a` elsewhere.
template <class A, class B, class C>
  requires detail::number_arguments<A, B, C>
constexpr auto bitselect(const A &a, const B &b, const C &c) {
  using T = detail::any_element_t<A, B, C>;
  return detail::map<T>(
      [](T x, T y, T mask) {
        using bits = std::make_unsigned_t<detail::relation_t<T>>;
        const bits m = __builtin_bit_cast(bits, mask);
        return __builtin_bit_cast(
            T, static_cast<bits>((__builtin_bit_cast(bits, x) & ~m) | (__builtin_bit_cast(bits, y) & m)));
      },
      a, b, c);
}

/// c ? b : a, element by element.
template <class A, class B, class C>
  requires detail::number_arguments<A, B>
constexpr auto select(const A &a, const B &b, const C &c) {
  using T = detail::any_element_t<A, B>;
  if constexpr (!detail::many<A>) {
    return c ? static_cast<T>(b) : static_cast<T>(a);
  } else {
    std::size_t i = 0;
    return detail::map<T>(
        [&](T x, T y) { return detail::holds<typename detail::shape<C>::type>(detail::element_at(c, i++)) ? y : x; }, a,
        b);
  }
}

}  // namespace sycl
