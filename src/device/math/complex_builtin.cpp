// Exports the functions that compilers call for `a * b` and `a / b` of complex numbers.
#include "device/math/complex_builtin.hpp"

using dpep::device::as_builtin;

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
