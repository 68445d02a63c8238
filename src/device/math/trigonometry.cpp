// Exports sin, cos, sincos and tan.
#include "device/math/trigonometry.hpp"

extern "C" {

DPEP_FUNCTION float sinf(float x) { return dpep::device::sin(x); }
DPEP_FUNCTION double sin(double x) { return dpep::device::sin(x); }
DPEP_FUNCTION float cosf(float x) { return dpep::device::cos(x); }
DPEP_FUNCTION double cos(double x) { return dpep::device::cos(x); }
DPEP_FUNCTION float tanf(float x) { return dpep::device::tan(x); }
DPEP_FUNCTION double tan(double x) { return dpep::device::tan(x); }

// The reduction is computed once: it is inlined twice, and the optimiser merges it.
DPEP_FUNCTION void sincosf(float x, float *sine, float *cosine) {
  *sine = dpep::device::sin(x);
  *cosine = dpep::device::cos(x);
}
DPEP_FUNCTION void sincos(double x, double *sine, double *cosine) {
  *sine = dpep::device::sin(x);
  *cosine = dpep::device::cos(x);
}
}
