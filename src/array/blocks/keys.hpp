// Keys of elements: unsigned integers in the elements' order.
#pragma once

#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T> using bits_of = raw<sizeof(T)>;

/// An unsigned integer in the same order as x. NaNs are the largest. With `one_zero`, -0.0 and 0.0 are equal.
template <class T, bool one_zero> [[gnu::always_inline]] inline auto key_of(T x) {
  if constexpr (elements::boolean<T>) {
    return std::uint8_t(x);
  } else if constexpr (elements::integer<T>) {
    using U = std::make_unsigned_t<T>;
    return U(U(x) ^ (std::is_signed_v<T> ? U(U(1) << (8 * sizeof(T) - 1)) : U(0)));
  } else {
    using U = bits_of<T>;
    constexpr U sign = U(U(1) << (8 * sizeof(T) - 1));
    constexpr U infinity = sizeof(T) == 2 ? U(0x7c00) : sizeof(T) == 4 ? U(0x7f800000) : U(0x7ff0000000000000);
    const U bits = __builtin_bit_cast(U, x), magnitude = U(bits & U(~sign));
    const bool negative = bits & sign && (!one_zero || magnitude);
    const U key = negative ? U(~bits) : U(bits | sign);
    return magnitude > infinity ? U(~U(0)) : key;
  }
}

/// The two parts of a complex number's key: numbers without NaN in lexicographic order, then those whose imaginary part
/// is NaN by their real part, then those whose real part is, then those of two NaNs.
template <class R> struct complex_key {
  using part = bits_of<R>;
  part first, second;
};
template <class R> [[gnu::always_inline]] inline complex_key<R> key_of_complex(elements::complex<R> z) {
  using U = bits_of<R>;
  const R re = z.real, im = z.imaginary;
  const U real = key_of<R, true>(re), imaginary = key_of<R, true>(im);
  const bool real_nan = re != re, imaginary_nan = im != im;
  constexpr U greatest = U(~U(0));  // no number has these keys: NaNs of all payloads share the greatest
  if (!imaginary_nan) return real_nan ? complex_key<R>{U(greatest - 1), imaginary} : complex_key<R>{real, imaginary};
  return real_nan ? complex_key<R>{greatest, 0} : complex_key<R>{U(greatest - 2), real};
}

/// The key of an element in the order in which zeros of both signs, and all NaNs, are equal.
template <class T> [[gnu::always_inline]] inline auto whole_key_of(T x) {
  if constexpr (elements::is_complex<T>) {
    const auto key = key_of_complex(x);
    using whole = std::conditional_t<sizeof(T) == 8, std::uint64_t, unsigned __int128>;
    return whole(whole(key.first) << (4 * sizeof(T)) | key.second);
  } else {
    return key_of<T, true>(x);
  }
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
