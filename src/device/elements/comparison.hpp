// Comparisons, logical operations and classification of numbers. Complex numbers are ordered by their real, then their
// imaginary parts.
#pragma once

#include "device/elements/types.hpp"

namespace dpep::elements {

template <class T> DPEP_INLINE bool isnan(T x) {
  if constexpr (is_complex<T>)
    return x.real != x.real || x.imaginary != x.imaginary;
  else if constexpr (is_half<T>)
    return (bits_of(x) & 0x7fff) > 0x7c00;
  else
    return x != x;
}
template <class T> DPEP_INLINE bool isinf(T x) {
  if constexpr (is_complex<T>)
    return device::is_infinite(x.real) || device::is_infinite(x.imaginary);
  else if constexpr (is_half<T>)
    return (bits_of(x) & 0x7fff) == 0x7c00;
  else if constexpr (real_float<T>)
    return device::is_infinite(x);
  else
    return false;
}
template <class T> DPEP_INLINE bool isfinite(T x) {
  if constexpr (is_complex<T>)
    return device::is_finite(x.real) && device::is_finite(x.imaginary);
  else if constexpr (is_half<T>)
    return (bits_of(x) & 0x7fff) < 0x7c00;
  else if constexpr (real_float<T>)
    return device::is_finite(x);
  else
    return true;
}
DPEP_INLINE bool signbit(half x) { return bits_of(x) >> 15; }
template <real_float T> DPEP_INLINE bool signbit(T x) { return device::bits(x) < 0; }

template <class T> DPEP_INLINE bool equal(T x, T y) {
  if constexpr (is_complex<T>)
    return (x.real == y.real) & (x.imaginary == y.imaginary);
  else
    return wide(x) == wide(y);
}
template <class T> DPEP_INLINE bool not_equal(T x, T y) { return !equal(x, y); }

namespace detail {
/// Whether neither imaginary part is NaN. If one is, numbers with different real parts are unordered too.
template <class T> DPEP_INLINE bool ordered(complex<T> x, complex<T> y) {
  return (x.imaginary == x.imaginary) & (y.imaginary == y.imaginary);
}
}  // namespace detail

template <class T> DPEP_INLINE bool less(T x, T y) {
  if constexpr (is_complex<T>)
    return ((x.real < y.real) & detail::ordered(x, y)) | ((x.real == y.real) & (x.imaginary < y.imaginary));
  else
    return wide(x) < wide(y);
}
template <class T> DPEP_INLINE bool less_equal(T x, T y) {
  if constexpr (is_complex<T>)
    return ((x.real < y.real) & detail::ordered(x, y)) | ((x.real == y.real) & (x.imaginary <= y.imaginary));
  else
    return wide(x) <= wide(y);
}
template <class T> DPEP_INLINE bool greater(T x, T y) { return less(y, x); }
template <class T> DPEP_INLINE bool greater_equal(T x, T y) { return less_equal(y, x); }

// Exact comparisons of signed with unsigned integers.
DPEP_INLINE bool equal(std::int64_t x, std::uint64_t y) { return (x >= 0) & (std::uint64_t(x) == y); }
DPEP_INLINE bool equal(std::uint64_t x, std::int64_t y) { return equal(y, x); }
DPEP_INLINE bool not_equal(std::int64_t x, std::uint64_t y) { return !equal(x, y); }
DPEP_INLINE bool not_equal(std::uint64_t x, std::int64_t y) { return !equal(y, x); }
DPEP_INLINE bool less(std::int64_t x, std::uint64_t y) { return (x < 0) | (std::uint64_t(x) < y); }
DPEP_INLINE bool less(std::uint64_t x, std::int64_t y) { return (y >= 0) & (x < std::uint64_t(y)); }
DPEP_INLINE bool less_equal(std::int64_t x, std::uint64_t y) { return !less(y, x); }
DPEP_INLINE bool less_equal(std::uint64_t x, std::int64_t y) { return !less(y, x); }
DPEP_INLINE bool greater(std::int64_t x, std::uint64_t y) { return less(y, x); }
DPEP_INLINE bool greater(std::uint64_t x, std::int64_t y) { return less(y, x); }
DPEP_INLINE bool greater_equal(std::int64_t x, std::uint64_t y) { return !less(x, y); }
DPEP_INLINE bool greater_equal(std::uint64_t x, std::int64_t y) { return !less(x, y); }

/// Whether an element converts to true: NaN does.
template <class T> DPEP_INLINE bool truth(T x) {
  if constexpr (is_complex<T>)
    return (x.real != 0) | (x.imaginary != 0);
  else if constexpr (is_half<T>)
    return (bits_of(x) & 0x7fff) != 0;
  else
    return x != 0;
}
template <class T> DPEP_INLINE bool logical_and(T x, T y) { return truth(x) && truth(y); }
template <class T> DPEP_INLINE bool logical_or(T x, T y) { return truth(x) || truth(y); }
template <class T> DPEP_INLINE bool logical_xor(T x, T y) { return truth(x) != truth(y); }
template <class T> DPEP_INLINE bool logical_not(T x) { return !truth(x); }

/// maximum and minimum return NaN if an operand is NaN; fmax and fmin return the other operand.
template <class T> DPEP_INLINE T maximum(T x, T y) { return less_equal(y, x) || isnan(x) ? x : y; }
template <class T> DPEP_INLINE T minimum(T x, T y) { return less_equal(x, y) || isnan(x) ? x : y; }
template <class T> DPEP_INLINE T fmax(T x, T y) { return less_equal(y, x) || isnan(y) ? x : y; }
template <class T> DPEP_INLINE T fmin(T x, T y) { return less_equal(x, y) || isnan(y) ? x : y; }
/// min(max(x, low), high), as in NumPy and dpctl; NaN propagates.
template <class T> DPEP_INLINE T clip(T x, T low, T high) { return minimum(maximum(x, low), high); }

}  // namespace dpep::elements
