// Exports erf and erfc.
#include "device/math/error_function.hpp"

extern "C" {

DPEP_FUNCTION float erff(float x) { return dpep::device::erf(x); }
DPEP_FUNCTION double erf(double x) { return dpep::device::erf(x); }
DPEP_FUNCTION float erfcf(float x) { return dpep::device::erfc(x); }
DPEP_FUNCTION double erfc(double x) { return dpep::device::erfc(x); }
}
