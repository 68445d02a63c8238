// Conversion between the compiler's complex numbers and device::complex, for the exports of C's functions.
#pragma once

#include "device/math/complex.hpp"

#pragma clang diagnostic ignored "-Wc99-extensions"

namespace dpep::device {

template <class T> struct complex_builtin;
template <> struct complex_builtin<float> {
  using type = _Complex float;
};
template <> struct complex_builtin<double> {
  using type = _Complex double;
};

template <class T> DPEP_INLINE typename complex_builtin<T>::type as_builtin(complex<T> z) {
  typename complex_builtin<T>::type result;
  __real__ result = z.real;
  __imag__ result = z.imaginary;
  return result;
}
template <class T> DPEP_INLINE complex<T> parts_of(typename complex_builtin<T>::type z) {
  return {__real__ z, __imag__ z};
}

}  // namespace dpep::device
