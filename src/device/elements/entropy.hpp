// Functions of scipy.special of one formula: entropies, products with logarithms, and Huber's losses.
#pragma once

#include "device/elements/functions.hpp"

namespace dpep::elements {

/// x log(y), which is 0 where x is 0, unless y is NaN.
template <real_float T> DPEP_INLINE T xlogy(T x, T y) {
  return device::both(x == 0, y == y) ? T(0) : x * device::log(y);
}
/// x log(1 + y), which is 0 where x is 0, unless y is NaN.
template <real_float T> DPEP_INLINE T xlog1py(T x, T y) {
  return device::both(x == 0, y == y) ? T(0) : x * device::log1p(y);
}

/// -x log(x).
template <real_float T> DPEP_INLINE T entr(T x) {
  const T inside = -x * device::log(x);
  return x == 0 ? T(0) : x < 0 ? -device::infinity<T> : inside;
}

namespace detail {
/// x log(x / y) for positive numbers. A quotient near 1 has its logarithm from the exact difference, and a quotient
/// that overflows or is denormal from two logarithms.
template <class T> DPEP_INLINE T divergence(T x, T y) {
  const T ratio = x / y;
  const bool near = device::both(ratio > T(0.5), ratio < 2);
  const bool regular = device::both(ratio >= std::numeric_limits<T>::min(), ratio < device::infinity<T>);
  const T of_ratio = device::log(regular ? ratio : x), of_y = regular ? T(0) : device::log(y);
  return x * (near ? device::log1p((x - y) / y) : of_ratio - of_y);
}
}  // namespace detail

/// x log(x / y); 0 for x = 0 and y >= 0; infinite outside.
template <real_float T> DPEP_INLINE T rel_entr(T x, T y) {
  const T inside = detail::divergence(x, y);
  const T outside = device::both(x == 0, y >= 0) ? T(0) : device::infinity<T>;
  return device::either(x != x, y != y) ? x + y : device::both(x > 0, y > 0) ? inside : outside;
}
/// x log(x / y) - x + y; y for x = 0 and y >= 0; infinite outside.
template <real_float T> DPEP_INLINE T kl_div(T x, T y) {
  const T inside = detail::divergence(x, y) - x + y;
  const T outside = device::both(x == 0, y >= 0) ? y : device::infinity<T>;
  return device::either(x != x, y != y) ? x + y : device::both(x > 0, y > 0) ? inside : outside;
}

/// r^2 / 2 for |r| <= delta, else delta (|r| - delta / 2); infinite for negative delta.
template <real_float T> DPEP_INLINE T huber(T delta, T r) {
  const T size = device::magnitude(r);
  const T value = size <= delta ? T(0.5) * r * r : delta * (size - T(0.5) * delta);
  return delta < 0 ? device::infinity<T> : value;
}
/// delta^2 (sqrt(1 + (r / delta)^2) - 1), in a form in which nothing cancels; infinite for negative delta.
template <real_float T> DPEP_INLINE T pseudo_huber(T delta, T r) {
  const T size = device::magnitude(r);
  const T value = size * (size / (1 + device::hypot(T(1), size / delta)));
  const T of_ends = device::either(delta == 0, r == 0) ? T(0) : value;
  return device::either(delta != delta, r != r) ? delta + r : delta < 0 ? device::infinity<T> : of_ends;
}

}  // namespace dpep::elements
