// The logistic function, its inverse and its logarithm, branch-free.
#pragma once

#include "device/math/hyperbolic.hpp"

namespace dpep::device {

/// 1 / (1 + e^-x).
template <class T> DPEP_INLINE T expit(T x) {
  const T small = exp(-magnitude(x));
  return (bits(x) < 0 ? small : T(1)) / (1 + small);
}

/// log(x / (1 - x)): near 1/2 the logarithm of a number close to 1, whose distance from 1 is exact.
template <class T> DPEP_INLINE T logit(T x) {
  const bool central = both(x >= T(0.25), x <= T(0.75));
  const T inner = central ? x : T(0.5);
  return central ? log1p((2 * inner - 1) / (1 - inner)) : log(x / (1 - x));
}

/// log(expit(x)) = -log(1 + e^-x).
template <class T> DPEP_INLINE T log_expit(T x) { return -(log1p(exp(-magnitude(x))) - (x < 0 ? x : T(0))); }

}  // namespace dpep::device
