// Exports frexp, ilogb, logb and modf.
#include "device/math/parts.hpp"

extern "C" {

DPEP_FUNCTION float frexpf(float x, int *exponent) { return dpep::device::frexp(x, exponent); }
DPEP_FUNCTION double frexp(double x, int *exponent) { return dpep::device::frexp(x, exponent); }
DPEP_FUNCTION int ilogbf(float x) { return dpep::device::ilogb(x); }
DPEP_FUNCTION int ilogb(double x) { return dpep::device::ilogb(x); }
DPEP_FUNCTION float logbf(float x) { return dpep::device::logb(x); }
DPEP_FUNCTION double logb(double x) { return dpep::device::logb(x); }
DPEP_FUNCTION float modff(float x, float *whole) { return dpep::device::modf(x, whole); }
DPEP_FUNCTION double modf(double x, double *whole) { return dpep::device::modf(x, whole); }
}
