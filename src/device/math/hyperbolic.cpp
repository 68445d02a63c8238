// Exports expm1, log1p and tanh.
#include "device/math/hyperbolic.hpp"

extern "C" {

DPEP_FUNCTION float expm1f(float x) { return dpep::device::expm1(x); }
DPEP_FUNCTION double expm1(double x) { return dpep::device::expm1(x); }
DPEP_FUNCTION float log1pf(float x) { return dpep::device::log1p(x); }
DPEP_FUNCTION double log1p(double x) { return dpep::device::log1p(x); }
DPEP_FUNCTION float tanhf(float x) { return dpep::device::tanh(x); }
DPEP_FUNCTION double tanh(double x) { return dpep::device::tanh(x); }
}
