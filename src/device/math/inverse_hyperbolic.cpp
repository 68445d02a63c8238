// Exports asinh, acosh and atanh.
#include "device/math/inverse_hyperbolic.hpp"

extern "C" {

DPEP_FUNCTION float asinhf(float x) { return dpep::device::asinh(x); }
DPEP_FUNCTION double asinh(double x) { return dpep::device::asinh(x); }
DPEP_FUNCTION float acoshf(float x) { return dpep::device::acosh(x); }
DPEP_FUNCTION double acosh(double x) { return dpep::device::acosh(x); }
DPEP_FUNCTION float atanhf(float x) { return dpep::device::atanh(x); }
DPEP_FUNCTION double atanh(double x) { return dpep::device::atanh(x); }
}
