// Casts of elements with C's rules. Floating-point numbers beyond the integer type give the value of the processor's
// conversion, which is then wrapped.
#pragma once

#include "device/elements/comparison.hpp"

namespace dpep::elements {
namespace detail {

template <integer To, real_float From> DPEP_INLINE To integer_of(From x) {
  if constexpr (sizeof(To) <= 4 && !std::is_same_v<To, std::uint32_t>) {
    return To(integer_part<std::int32_t>(x));
  } else if constexpr (std::is_same_v<To, std::uint64_t>) {
    constexpr From limit = From(0x1p63);
    const bool large = x >= limit;
    return std::uint64_t(integer_part<std::int64_t>(large ? x - limit : x)) ^ (std::uint64_t(large) << 63);
  } else {
    return To(integer_part<std::int64_t>(x));
  }
}

}  // namespace detail

template <class To, class From> DPEP_INLINE To cast(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_same_v<To, bool>)
    return truth(x);
  else if constexpr (is_complex<To> && is_complex<From>)
    return {real_of<To>(x.real), real_of<To>(x.imaginary)};
  else if constexpr (is_complex<To>)
    return {cast<real_of<To>>(x), 0};
  else if constexpr (is_complex<From>)
    return cast<To>(x.real);
  else if constexpr (is_half<From>)
    return cast<To>(widen(x));
  else if constexpr (is_half<To> && std::is_same_v<From, double>)
    return narrow(x);
  else if constexpr (is_half<To>)
    return narrow(float(x));  // integers that float(x) rounds are infinite as halves
  else if constexpr (integer<To> && real_float<From>)
    return detail::integer_of<To>(x);
  else
    return To(x);
}

}  // namespace dpep::elements
