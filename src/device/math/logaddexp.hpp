// log(e^x + e^y), branch-free.
#pragma once

#include "device/math/hyperbolic.hpp"

namespace dpep::device {

/// log(e^x + e^y). For two equal infinities, that infinity, as in NumPy.
template <class T> DPEP_INLINE T logaddexp(T x, T y) {
  const T difference = x - y;
  const T larger = x > y ? x : y;
  const T sum = larger + log1p(exp(-magnitude(difference)));
  const T result = x == y ? x + exp_constants<T>::ln2 : sum;
  return either(x != x, y != y) ? x + y : result;
}

}  // namespace dpep::device
