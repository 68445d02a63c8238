// Division of many numbers by one, with fused multiply-adds instead of division instructions: three times as fast.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

/// Where the products and the remainder of quick_quotient neither overflow nor underflow.
template <class T> struct quick_range;
template <> struct quick_range<double> {
  using bits = std::uint64_t;
  static constexpr double least = 0x1p-400, most = 0x1p400;
};
template <> struct quick_range<float> {
  using bits = std::uint32_t;
  static constexpr float least = 0x1p-50f, most = 0x1p50f;
};

/// The quotient in round-to-nearest, where x is in the range or zero, y is in the range and `inverse` is 1 / y rounded.
/// See N. Brisebarre, J.-M. Muller and S. K. Raina, "Accelerating Correctly Rounded Floating-Point Division When the
/// Divisor Is Known in Advance", IEEE Transactions on Computers 53 (2004).
template <class T> [[gnu::always_inline]] inline T quick_quotient(T x, T y, T inverse) {
  const T near = x * inverse, remainder = __builtin_elementwise_fma(-near, y, x);
  const T quotient = __builtin_elementwise_fma(remainder, inverse, near);
  return remainder == 0 ? near : quotient;  // keeps the sign of zero
}

/// Whether all numbers of a block are in the range or zero. Not for NaN.
template <class T, std::size_t count> [[gnu::always_inline]] inline bool all_quick(const T *x) {
  using bits = typename quick_range<T>::bits;
  constexpr std::size_t lanes = register_bytes / sizeof(T);
  using vector __attribute__((ext_vector_type(lanes))) = bits;
  constexpr auto least = std::bit_cast<bits>(quick_range<T>::least), most = std::bit_cast<bits>(quick_range<T>::most);
  vector others = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    vector values;
    __builtin_memcpy(&values, x + i, sizeof values);
    const vector magnitude = values & ~(bits{1} << (8 * sizeof(T) - 1));
    others |= vector(magnitude - least > most - least) & vector(magnitude != 0);
  }
  return __builtin_reduce_or(others) == 0;
}

/// to[i] = x[i] / y, as the division instruction rounds it. `to` may be `x`.
template <class T> void divide_by(std::size_t count, const T *x, T y, T *to) {
  constexpr std::size_t block = 256;  // the numbers are in the first-level cache when they are read again
  const T magnitude = std::fabs(y);
  const bool is_quick = magnitude >= quick_range<T>::least && magnitude <= quick_range<T>::most;
  const T inverse = is_quick ? T(1) / y : T(0);
  std::size_t done = 0;
  for (; is_quick && done + block <= count; done += block) {
    if (all_quick<T, block>(x + done)) {
      DPEP_VECTOR_LOOP
      for (std::size_t i = done; i < done + block; ++i) to[i] = quick_quotient(x[i], y, inverse);
    } else {
      DPEP_VECTOR_LOOP
      for (std::size_t i = done; i < done + block; ++i) to[i] = x[i] / y;
    }
  }
  DPEP_VECTOR_LOOP
  for (std::size_t i = done; i < count; ++i) to[i] = x[i] / y;
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
