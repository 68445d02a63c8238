// Mathematical functions (SYCL 2020, section 4.17.5), with native:: and half_precision::.
#pragma once

#include <sycl/builtins/elements.hpp>
#include <sycl/builtins/scalar_math.hpp>

namespace sycl {

// One function template for each name: any scalars, vecs, swizzles and marrays, as elements.hpp describes. Another one
// for objects of classes that convert to a float type.
#define DPEP_CONVERTED(NAME, COUNT)                                                                                    \
  template <class... A>                                                                                                \
    requires detail::converted_arguments<COUNT, A...>                                                                  \
  constexpr auto NAME(const A &...a) {                                                                                 \
    return sycl::NAME(static_cast<detail::chosen_t<A...>>(a)...);                                                      \
  }
#define DPEP_MATH_1(NAME)                                                                                              \
  template <class A>                                                                                                   \
    requires detail::float_arguments<A>                                                                                \
  constexpr auto NAME(const A &a) {                                                                                    \
    return detail::map_float<detail::float_element_t<A>>([](auto x) { return detail::math::NAME(x); }, a);             \
  }                                                                                                                    \
  DPEP_CONVERTED(NAME, 1)
#define DPEP_MATH_2(NAME)                                                                                              \
  template <class A, class B>                                                                                          \
    requires detail::float_arguments<A, B>                                                                             \
  constexpr auto NAME(const A &a, const B &b) {                                                                        \
    return detail::map_float<detail::float_element_t<A, B>>([](auto x, auto y) { return detail::math::NAME(x, y); },   \
                                                            a, b);                                                     \
  }                                                                                                                    \
  DPEP_CONVERTED(NAME, 2)
// clang-format off
DPEP_MATH_1(acos) DPEP_MATH_1(acosh) DPEP_MATH_1(acospi) DPEP_MATH_1(asin) DPEP_MATH_1(asinh) DPEP_MATH_1(asinpi)
DPEP_MATH_1(atan) DPEP_MATH_1(atanh) DPEP_MATH_1(atanpi) DPEP_MATH_1(cbrt) DPEP_MATH_1(ceil) DPEP_MATH_1(cos)
DPEP_MATH_1(cosh) DPEP_MATH_1(cospi) DPEP_MATH_1(erf) DPEP_MATH_1(erfc) DPEP_MATH_1(exp) DPEP_MATH_1(exp10)
DPEP_MATH_1(exp2) DPEP_MATH_1(expm1) DPEP_MATH_1(fabs) DPEP_MATH_1(floor) DPEP_MATH_1(lgamma) DPEP_MATH_1(log)
DPEP_MATH_1(log10) DPEP_MATH_1(log1p) DPEP_MATH_1(log2) DPEP_MATH_1(logb) DPEP_MATH_1(rint) DPEP_MATH_1(round)
DPEP_MATH_1(rsqrt) DPEP_MATH_1(sin) DPEP_MATH_1(sinh) DPEP_MATH_1(sinpi) DPEP_MATH_1(sqrt) DPEP_MATH_1(tan)
DPEP_MATH_1(tanh) DPEP_MATH_1(tanpi) DPEP_MATH_1(tgamma) DPEP_MATH_1(trunc)

DPEP_MATH_2(atan2) DPEP_MATH_2(atan2pi) DPEP_MATH_2(copysign) DPEP_MATH_2(fdim) DPEP_MATH_2(fmax) DPEP_MATH_2(fmin)
DPEP_MATH_2(fmod) DPEP_MATH_2(hypot) DPEP_MATH_2(maxmag) DPEP_MATH_2(minmag) DPEP_MATH_2(pow) DPEP_MATH_2(powr)
DPEP_MATH_2(remainder)
// clang-format on
#undef DPEP_MATH_1
#undef DPEP_MATH_2

                                        template <class A, class B, class C>
  requires detail::float_arguments<A, B, C>
constexpr auto fma(const A &a, const B &b, const C &c) {
  return detail::map<detail::float_element_t<A, B, C>>(
      [](auto x, auto y, auto z) { return detail::math::fma(x, y, z); }, a, b, c);
}
DPEP_CONVERTED(fma, 3)
/// a * b + c, rounded once or twice, whichever is faster.
template <class A, class B, class C>
  requires detail::float_arguments<A, B, C>
constexpr auto mad(const A &a, const B &b, const C &c) {
  return fma(a, b, c);
}
DPEP_CONVERTED(mad, 3)

/// The next representable value after `a` towards `b`, in the type of `a`: half has its own spacing.
template <class A, class B>
  requires detail::float_arguments<A, B>
constexpr auto nextafter(const A &a, const B &b) {
  using element = detail::float_element_t<A, B>;
  return detail::map<element>(
      [](auto x, auto y) {
        if constexpr (std::is_same_v<element, half>)
          return x != x || y != y ? detail::math::not_a_number<half> : x == y ? y : detail::next_value(x, y > x);
        else
          return detail::math::nextafter(x, y);
      },
      a, b);
}
DPEP_CONVERTED(nextafter, 2)

namespace detail {
/// Arguments of functions of a float and an integer: two scalars, or elements with elements or with one scalar for all.
template <class A, class N>
concept float_and_integer = float_arguments<A> && std::is_integral_v<element_t<N>> &&
                            (shape<N>::count == 0 || shape<N>::count == shape<A>::count) && (many<A> || scalar<N>);

template <class A, class F, class... Rest> constexpr auto map_indexed(F f, const A &a, const Rest &...rest) {
  using E = float_element_t<A>;
  if constexpr (many<A>) {
    std::size_t i = 0;  // map visits the elements in order
    return map_float<E>(
        [&](auto x) {
          const std::size_t at = i++;
          return f(x, element_at(rest, at)...);
        },
        a);
  } else {
    return map_float<E>([&](auto x) { return f(x, rest...); }, a);
  }
}
}  // namespace detail

#define DPEP_MATH_INTEGER(NAME)                                                                                        \
  template <class A, class N>                                                                                          \
    requires detail::float_and_integer<A, N>                                                                           \
  constexpr auto NAME(const A &a, const N &n) {                                                                        \
    return detail::map_indexed([](auto x, auto m) { return detail::math::NAME(x, static_cast<int>(m)); }, a, n);       \
  }                                                                                                                    \
  template <class A, class N>                                                                                          \
    requires((std::is_class_v<A> || std::is_class_v<N>) && detail::scalar_float<A> && !detail::many<N> &&              \
             std::is_convertible_v<const N &, int>)                                                                    \
  constexpr auto NAME(const A &a, const N &n) {                                                                        \
    return sycl::NAME(detail::as_float(a), static_cast<int>(n));                                                       \
  }
DPEP_MATH_INTEGER(ldexp)
DPEP_MATH_INTEGER(pown)
DPEP_MATH_INTEGER(rootn)
#undef DPEP_MATH_INTEGER

template <class A>
  requires detail::float_arguments<A>
constexpr auto ilogb(const A &a) {
  using E = detail::float_element_t<A>;
  using wide = std::conditional_t<std::is_same_v<E, half>, float, E>;
  return detail::map<E>([](auto x) { return detail::math::ilogb(static_cast<wide>(x)); }, a);
}
DPEP_CONVERTED(ilogb, 1)

namespace detail {
/// Element i of the object that an out-parameter points to.
template <class P> auto &out_element(P *p, std::size_t i) {
  if constexpr (many<P>)
    return (*p)[i];
  else
    return *p;
}
/// Functions with a second result: `f(x..., &second)` for each element. `Second` is the type that the scalar function
/// stores.
template <class Second, class F, class P, class... A> auto map_out(F f, P out, const A &...a) {
  using E = float_element_t<A...>;
  auto *to = raw(out);
  std::size_t i = 0;
  return map_float<E>(
      [&](auto... x) {
        using scalar_second = std::conditional_t<std::is_void_v<Second>, std::common_type_t<decltype(x)...>, Second>;
        scalar_second second;
        const auto result = f(x..., &second);
        auto &slot = out_element(to, i++);
        slot = static_cast<std::remove_reference_t<decltype(slot)>>(second);
        return result;
      },
      a...);
}
template <class P>
concept out_pointer = std::is_pointer_v<P> || is_multi_ptr<std::remove_cv_t<P>>;
}  // namespace detail

// Each of these functions has two templates, since explicit template arguments are the types of all arguments for
// elements, and the pointer's type alone for scalars.
#define DPEP_MATH_OUT(NAME, SECOND, ...)                                                                               \
  template <class A, detail::out_pointer P>                                                                            \
    requires(detail::float_arguments<A> && detail::many<A>)                                                            \
  auto NAME(const A &a, P out) {                                                                                       \
    return detail::map_out<SECOND>(__VA_ARGS__, out, a);                                                               \
  }                                                                                                                    \
  template <detail::out_pointer P, detail::scalar_float A> auto NAME(const A &a, P out) {                              \
    return detail::map_out<SECOND>(__VA_ARGS__, out, detail::as_float(a));                                             \
  }
// The fractional part; stores the integral part. fract's is in [0, 1), modf's has the sign of the argument.
DPEP_MATH_OUT(fract, void, [](auto x, auto *whole) { return detail::math::fract(x, whole); })
DPEP_MATH_OUT(modf, void, [](auto x, auto *whole) { return detail::math::modf(x, whole); })
DPEP_MATH_OUT(sincos, void, [](auto x, auto *cosine) {
  *cosine = detail::math::cos(x);
  return detail::math::sin(x);
})
DPEP_MATH_OUT(frexp, int, [](auto x, int *exponent) { return detail::math::frexp(x, exponent); })
DPEP_MATH_OUT(lgamma_r, int, [](auto x, int *sign) { return detail::math::lgamma_r(x, sign); })
#undef DPEP_MATH_OUT

namespace detail {
template <class P, class A, class B> auto remquo(const A &a, const B &b, P quotient) {
  return map_out<int>([](auto x, auto y, int *second) { return math::remquo(x, y, second); }, quotient, a, b);
}
}  // namespace detail
template <class A, class B, detail::out_pointer P>
  requires(detail::float_arguments<A, B> && (detail::many<A> || detail::many<B>))
auto remquo(const A &a, const B &b, P quotient) {
  return detail::remquo(a, b, quotient);
}
template <detail::out_pointer P, class A, class B>
  requires(!detail::many<A> && !detail::many<B> && (detail::float_arguments<A, B> || detail::converted<A, B>))
auto remquo(const A &a, const B &b, P quotient) {
  if constexpr (detail::converted<A, B>) {
    using T = detail::chosen_t<A, B>;
    return detail::remquo(static_cast<T>(a), static_cast<T>(b), quotient);
  } else {
    return detail::remquo(a, b, quotient);
  }
}

/// A quiet NaN with the code in its payload: float for 32 bits, double for 64, half for 16.
template <class N>
  requires std::is_unsigned_v<detail::element_t<N>>
constexpr auto nan(const N &code) {
  using E = detail::element_t<N>;
  return detail::map<E>(
      [](E bits) {
        if constexpr (sizeof(E) == 2)
          return __builtin_bit_cast(half, static_cast<std::uint16_t>(0x7e00 | (bits & 0x1ff)));
        else if constexpr (sizeof(E) == 4)
          return detail::math::nan(static_cast<std::uint32_t>(bits));
        else
          return detail::math::nan(static_cast<std::uint64_t>(bits));
      },
      code);
}
namespace detail {
std::uint16_t chosen_code(std::uint16_t);
std::uint32_t chosen_code(std::uint32_t);
std::uint64_t chosen_code(std::uint64_t);
template <class N> using code_t = decltype(chosen_code(std::declval<const N &>()));
}  // namespace detail
template <class N>
  requires(std::is_class_v<N> && !detail::many<N> && requires { typename detail::code_t<N>; })
constexpr auto nan(const N &code) {
  return sycl::nan(static_cast<detail::code_t<N>>(code));
}

// Functions that may be less accurate where that makes them faster. Other devices use the accurate functions.
#define DPEP_FAST_CONVERTED(NAME, COUNT)                                                                               \
  template <class... A>                                                                                                \
    requires(detail::converted_arguments<COUNT, A...> && (std::is_convertible_v<const A &, float> && ...))             \
  constexpr float NAME(const A &...a) {                                                                                \
    return NAME(static_cast<float>(a)...);                                                                             \
  }
#define DPEP_FAST(NAME)                                                                                                \
  template <class A>                                                                                                   \
    requires detail::float_arguments<A>                                                                                \
  constexpr auto NAME(const A &a) {                                                                                    \
    return sycl::NAME(a);                                                                                              \
  }                                                                                                                    \
  DPEP_FAST_CONVERTED(NAME, 1)
#define DPEP_FAST_NAMESPACE(SPACE)                                                                                     \
  namespace SPACE {                                                                                                    \
  DPEP_FAST(cos)                                                                                                       \
  DPEP_FAST(exp)                                                                                                       \
  DPEP_FAST(exp10)                                                                                                     \
  DPEP_FAST(exp2)                                                                                                      \
  DPEP_FAST(log)                                                                                                       \
  DPEP_FAST(log10)                                                                                                     \
  DPEP_FAST(log2)                                                                                                      \
  DPEP_FAST(sin)                                                                                                       \
  DPEP_FAST(sqrt)                                                                                                      \
  DPEP_FAST(tan)                                                                                                       \
  template <class A>                                                                                                   \
    requires detail::float_arguments<A>                                                                                \
  constexpr auto rsqrt(const A &a) {                                                                                   \
    return detail::map<detail::float_element_t<A>>([](auto x) { return detail::math::estimated_rsqrt(x); }, a);        \
  }                                                                                                                    \
  DPEP_FAST_CONVERTED(rsqrt, 1)                                                                                        \
  template <class A>                                                                                                   \
    requires detail::float_arguments<A>                                                                                \
  constexpr auto recip(const A &a) {                                                                                   \
    return detail::map<detail::float_element_t<A>>([](auto x) { return decltype(x)(1) / x; }, a);                      \
  }                                                                                                                    \
  DPEP_FAST_CONVERTED(recip, 1)                                                                                        \
  template <class A, class B>                                                                                          \
    requires detail::float_arguments<A, B>                                                                             \
  constexpr auto divide(const A &a, const B &b) {                                                                      \
    return detail::map<detail::float_element_t<A, B>>([](auto x, auto y) { return x / y; }, a, b);                     \
  }                                                                                                                    \
  DPEP_FAST_CONVERTED(divide, 2)                                                                                       \
  template <class A, class B>                                                                                          \
    requires detail::float_arguments<A, B>                                                                             \
  constexpr auto powr(const A &a, const B &b) {                                                                        \
    return sycl::powr(a, b);                                                                                           \
  }                                                                                                                    \
  DPEP_FAST_CONVERTED(powr, 2)                                                                                         \
  }
DPEP_FAST_NAMESPACE(native)
DPEP_FAST_NAMESPACE(half_precision)
#undef DPEP_FAST_NAMESPACE
#undef DPEP_FAST
#undef DPEP_FAST_CONVERTED
#undef DPEP_CONVERTED
namespace native {
template <class A>
  requires detail::float_arguments<A>
constexpr auto tanh(const A &a) {
  return sycl::tanh(a);
}
}  // namespace native

}  // namespace sycl
