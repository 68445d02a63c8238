// asinh, acosh and atanh, branch-free: logarithms of sums in two parts.
//
// Near 0 (1 for acosh) they are log1p of a small number that is computed without cancellation; from 2^30 on, asinh and
// acosh are log(2 x).
#pragma once

#include "device/math/hyperbolic.hpp"

namespace dpep::device {

/// log(2^extra (1 + x)) for x in two parts, or log(2^(extra + 1) large) if is_large.
template <class T> DPEP_INLINE T log_of_sum_or_large(pair<T> x, bool is_large, T large, T extra = 0) {
  const auto sum = exact_sum(T(1), x.high);
  return log_of_sum(is_large ? large : sum.high, is_large ? T(0) : sum.low + x.low, is_large ? extra + 1 : extra);
}

/// asinh(2^extra x) for x >= 0; extra is 0 unless x is large.
template <class T> DPEP_INLINE T asinh_of_positive(T x, T extra = 0) {
  const bool is_large = x > T(0x1p30);
  const T y = is_large ? T(1) : x;
  const T square = y * y;
  // x + sqrt(1 + x^2) - 1
  const auto sum = exact_sum(y, square / (1 + square_root(1 + square)));
  return log_of_sum_or_large(sum, is_large, x, extra);
}
template <class T> DPEP_INLINE T asinh(T x) {
  if (has_fast_reciprocals()) return gpu::asinh(x);
  const auto split = split_tiny(x, negligible<T>);
  return split.result(flip_sign(asinh_of_positive(magnitude(split.rest)), split.rest));
}

template <class T> DPEP_INLINE T acosh(T x) {
  if (has_fast_reciprocals()) return gpu::acosh(x);
  const bool is_large = x > T(0x1p30);
  const T above = is_large ? T(1) : x - 1;  // exact where it matters
  // (x - 1) + sqrt(x^2 - 1), the root in two parts, since its roundings and the logarithm's would add up to 2 ulp
  const auto square = exact_product(above, above);
  const auto radicand = exact_sum(2 * above, square.high);
  const T root = square_root(radicand.high);
  const T error = (residual(radicand.high, root, root) + (radicand.low + square.low)) * T(0.5);
  const T root_low = error / (root > 0 ? root : T(1));
  const auto sum = exact_sum(above, root);
  const T result = log_of_sum_or_large({sum.high, sum.low + root_low}, is_large, x);
  return x < 1 ? nan<T> : result;
}

template <class T> DPEP_INLINE T atanh(T x) {
  if (has_fast_reciprocals()) return gpu::atanh(x);
  const auto split = split_tiny(x, negligible<T>);
  const T positive = magnitude(split.rest);
  // half of log(1 + 2 x / (1 - x)), the quotient in two parts
  const auto below = exact_sum(T(1), -positive);
  const T reciprocal = 1 / below.high;
  const T quotient = 2 * positive * reciprocal;
  const T error = residual(2 * positive, quotient, below.high) - quotient * below.low;
  T result = T(0.5) * log_of_sum_or_large({quotient, error * reciprocal}, false, T(1));
  result = positive == 1 ? infinity<T> : result;
  result = positive > 1 ? nan<T> : result;
  return split.result(flip_sign(result, split.rest));
}

}  // namespace dpep::device
