// Exports what compilers call for `a * b` and `a / b` of complex numbers.
#include "device/math/complex.hpp"

#pragma clang diagnostic ignored "-Wc99-extensions"

namespace {

_Complex float as_builtin(dpep::device::complex<float> z) {
  _Complex float result;
  __real__ result = z.real;
  __imag__ result = z.imaginary;
  return result;
}
_Complex double as_builtin(dpep::device::complex<double> z) {
  _Complex double result;
  __real__ result = z.real;
  __imag__ result = z.imaginary;
  return result;
}

}  // namespace

extern "C" {

_Complex float __mulsc3(float a, float b, float c, float d) { return as_builtin(dpep::device::multiply(a, b, c, d)); }
_Complex double __muldc3(double a, double b, double c, double d) {
  return as_builtin(dpep::device::multiply(a, b, c, d));
}
_Complex float __divsc3(float a, float b, float c, float d) { return as_builtin(dpep::device::divide(a, b, c, d)); }
_Complex double __divdc3(double a, double b, double c, double d) {
  return as_builtin(dpep::device::divide(a, b, c, d));
}
}
