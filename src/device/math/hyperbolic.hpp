// expm1, log1p and tanh, branch-free.
#pragma once

#include "device/math/exp.hpp"
#include "device/math/gpu_hyperbolic.hpp"
#include "device/math/log.hpp"

namespace dpep::device {

/// Smaller numbers do not change 1 when they are added.
template <class T> constexpr T negligible = std::numeric_limits<T>::epsilon() / 4;

/// e^x - 1 = 2^n (e^r - 1) + (2^n - 1), as twice a half, since 2^n itself may overflow.
template <class T> DPEP_INLINE T expm1(T x) {
  if (has_fast_reciprocals()) return gpu::expm1(x);
  using c = exp_constants<T>;
  using U = unsigned_of<T>;
  const auto split = split_tiny(x, negligible<T>);
  const T y = split.rest < -40 ? T(-40) : split.rest;
  const T shifted = y * c::log2_e + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  const T start = y - n * c::ln2_high, tail = n * c::ln2_low;
  const T r = start - tail, r_low = (start - r) - tail;
  const U exponent = U(rounded(shifted)) + (format<T>::exponent_bias - 1);
  const T half_power = number(integer_of<T>(exponent << format<T>::mantissa_bits));
  const T scaled = expm1_of_small(r) * half_power;  // exact but for denormals
  const T half = (scaled + (half_power - T(0.5))) + r_low * half_power;
  return split.result(or_infinite(split.rest, c::largest, half + half));
}

/// log(1 + x). The rounding error of 1 + x becomes a correction of first order.
template <class T> DPEP_INLINE T log1p(T x) {
  if (has_fast_reciprocals()) return gpu::log1p(x);
  const auto split = split_tiny(x, negligible<T>);
  const auto sum = exact_sum(T(1), split.rest);
  return split.result(log_of_sum(sum.high, sum.low));
}

/// tanh(x) = E / (E + 2) for E = e^(2 x) - 1 and x >= 0. E is in two parts, since three roundings would cost 2.4 ulp.
template <class T> DPEP_INLINE T tanh_of_positive(T x) {
  using c = exp_constants<T>;
  const T twice = x > 20 ? T(40) : 2 * x;
  const T shifted = twice * c::log2_e + format<T>::round_magic;
  const T n = shifted - format<T>::round_magic;
  const T r = (twice - n * c::ln2_high) - n * c::ln2_low;
  const T power = power_of_two<T>(rounded(shifted));
  const auto e = exact_sum_ordered(power - 1, r * power);
  const auto sum = exact_sum_ordered(e.high, (expm1_of_small(r) - r) * power + e.low);
  const auto denominator = exact_sum(T(2), sum.high);
  const T reciprocal = 1 / denominator.high;
  const T quotient = sum.high * reciprocal;
  return quotient +
         (residual(sum.high, quotient, denominator.high) + (sum.low - quotient * (denominator.low + sum.low))) *
             reciprocal;
}
template <class T> DPEP_INLINE T tanh(T x) {
  if (DPEP_DEVICE_FUSED) return gpu::tanh(x);
  const auto split = split_tiny(x, negligible<T>);
  return split.result(flip_sign(tanh_of_positive(magnitude(split.rest)), split.rest));
}

}  // namespace dpep::device
