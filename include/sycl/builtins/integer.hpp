// Integer functions (SYCL 2020, section 4.17.6). Results have the arguments' type: char stays char.
#pragma once

#include <limits>

#include <sycl/builtins/elements.hpp>

namespace sycl {

namespace detail {

/// An integer type that represents all sums and products of two T.
template <class T>
using twice_as_wide =
    std::conditional_t<(sizeof(T) < 8), std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>;

template <class T> constexpr T saturate(twice_as_wide<T> x) {
  constexpr twice_as_wide<T> low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(x < low ? low : x > high ? high : x);
}
template <class T> constexpr T high_half(T a, T b) {
  return static_cast<T>(static_cast<twice_as_wide<T>>(a) * b >> (sizeof(T) * 8));
}
/// The low 24 bits, sign-extended, in a type whose products wrap around.
template <class T> constexpr std::uint64_t low_24(T x) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8});
  else
    return x & 0xffffff;
}

}  // namespace detail

#define DPEP_INTEGER_1(NAME, ...)                                                                                      \
  template <class A>                                                                                                   \
    requires detail::integer_arguments<A>                                                                              \
  constexpr auto NAME(const A &a) {                                                                                    \
    using T = detail::any_element_t<A>;                                                                                \
    using U [[maybe_unused]] = std::make_unsigned_t<T>;                                                                \
    return detail::map<T>([](T x) { return static_cast<T>(__VA_ARGS__); }, a);                                         \
  }
#define DPEP_INTEGER_2(NAME, ...)                                                                                      \
  template <class A, class B>                                                                                          \
    requires detail::integer_arguments<A, B>                                                                           \
  constexpr auto NAME(const A &a, const B &b) {                                                                        \
    using T = detail::any_element_t<A, B>;                                                                             \
    using U [[maybe_unused]] = std::make_unsigned_t<T>;                                                                \
    return detail::map<T>([](T x, T y) { return static_cast<T>(__VA_ARGS__); }, a, b);                                 \
  }
#define DPEP_INTEGER_3(NAME, ...)                                                                                      \
  template <class A, class B, class C>                                                                                 \
    requires detail::integer_arguments<A, B, C>                                                                        \
  constexpr auto NAME(const A &a, const B &b, const C &c) {                                                            \
    using T = detail::any_element_t<A, B, C>;                                                                          \
    using W [[maybe_unused]] = detail::twice_as_wide<T>;                                                               \
    return detail::map<T>([](T x, T y, T z) { return static_cast<T>(__VA_ARGS__); }, a, b, c);                         \
  }

DPEP_INTEGER_1(clz, __builtin_clzg(static_cast<U>(x), static_cast<int>(sizeof(T) * 8)))
DPEP_INTEGER_1(ctz, __builtin_ctzg(static_cast<U>(x), static_cast<int>(sizeof(T) * 8)))
DPEP_INTEGER_1(popcount, __builtin_popcountg(static_cast<U>(x)))
DPEP_INTEGER_2(abs_diff, x < y ? U(y) - U(x) : U(x) - U(y))
DPEP_INTEGER_2(add_sat, __builtin_elementwise_add_sat(x, y))
DPEP_INTEGER_2(sub_sat, __builtin_elementwise_sub_sat(x, y))
DPEP_INTEGER_2(hadd, (x & y) + ((x ^ y) >> 1))   // (x + y) / 2 rounded down, without overflow
DPEP_INTEGER_2(rhadd, (x | y) - ((x ^ y) >> 1))  // … rounded up
DPEP_INTEGER_2(mul_hi, detail::high_half<T>(x, y))
DPEP_INTEGER_2(mul24, detail::low_24(x) * detail::low_24(y))
DPEP_INTEGER_2(rotate, __builtin_elementwise_fshl(U(x), U(x), static_cast<U>(U(y) % (sizeof(T) * 8))))
DPEP_INTEGER_3(mad_hi, std::make_unsigned_t<T>(detail::high_half<T>(x, y)) + std::make_unsigned_t<T>(z))
DPEP_INTEGER_3(mad_sat, detail::saturate<T>(W(x) * y + z))
DPEP_INTEGER_3(mad24, detail::low_24(x) * detail::low_24(y) + static_cast<std::uint64_t>(z))

#undef DPEP_INTEGER_1
#undef DPEP_INTEGER_2
#undef DPEP_INTEGER_3

/// The absolute value; for floats the same as fabs.
template <class A>
  requires detail::number_arguments<A>
constexpr auto abs(const A &a) {
  using T = detail::any_element_t<A>;
  return detail::map<T>(
      [](T x) {
        if constexpr (std::is_unsigned_v<T>)
          return x;
        else
          return static_cast<T>(__builtin_elementwise_abs(x));
      },
      a);
}

/// Concatenates the bits of `high` and `low` into the type of twice their size.
template <class High, class Low>
  requires(detail::integer_arguments<High> && std::is_unsigned_v<detail::element_t<Low>> &&
           sizeof(detail::element_t<High>) == sizeof(detail::element_t<Low>) && sizeof(detail::element_t<High>) < 8 &&
           detail::shape<High>::count == detail::shape<Low>::count)
constexpr auto upsample(const High &high, const Low &low) {
  using T = detail::element_t<High>;
  constexpr std::size_t bits = sizeof(T) * 8;
  using wide_signed =
      std::conditional_t<bits == 8, std::int16_t, std::conditional_t<bits == 16, std::int32_t, std::int64_t>>;
  using wide = std::conditional_t<std::is_signed_v<T>, wide_signed, std::make_unsigned_t<wide_signed>>;
  std::size_t i = 0;
  return detail::map<T>(
      [&](T x) {
        const std::uint64_t top = static_cast<std::uint64_t>(x) << bits;
        return static_cast<wide>(top | detail::element_at(low, i++));
      },
      high);
}

}  // namespace sycl
