// Exports sinh and cosh.
#include "device/math/sinh_cosh.hpp"

extern "C" {

DPEP_FUNCTION float sinhf(float x) { return dpep::device::sinh(x); }
DPEP_FUNCTION double sinh(double x) { return dpep::device::sinh(x); }
DPEP_FUNCTION float coshf(float x) { return dpep::device::cosh(x); }
DPEP_FUNCTION double cosh(double x) { return dpep::device::cosh(x); }
}
