// Exports ldexp, scalbn and hypot.
#include "device/math/scaling.hpp"

extern "C" {

DPEP_FUNCTION float ldexpf(float x, int n) { return dpep::device::ldexp(x, n); }
DPEP_FUNCTION double ldexp(double x, int n) { return dpep::device::ldexp(x, n); }
DPEP_FUNCTION float scalbnf(float x, int n) { return dpep::device::ldexp(x, n); }
DPEP_FUNCTION double scalbn(double x, int n) { return dpep::device::ldexp(x, n); }
DPEP_FUNCTION float hypotf(float x, float y) { return dpep::device::hypot(x, y); }
DPEP_FUNCTION double hypot(double x, double y) { return dpep::device::hypot(x, y); }
}
