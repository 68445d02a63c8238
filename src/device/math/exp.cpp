// Exports the exponential functions.
#include "device/math/exp.hpp"

extern "C" {

DPEP_FUNCTION float expf(float x) { return dpep::device::exp(x); }
DPEP_FUNCTION double exp(double x) { return dpep::device::exp(x); }
DPEP_FUNCTION float exp2f(float x) { return dpep::device::exp2(x); }
DPEP_FUNCTION double exp2(double x) { return dpep::device::exp2(x); }
DPEP_FUNCTION float exp10f(float x) { return dpep::device::exp10(x); }
DPEP_FUNCTION double exp10(double x) { return dpep::device::exp10(x); }
}
