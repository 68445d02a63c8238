// Exports the logarithms.
#include "device/math/log.hpp"

extern "C" {

DPEP_FUNCTION float logf(float x) { return dpep::device::log(x); }
DPEP_FUNCTION double log(double x) { return dpep::device::log(x); }
DPEP_FUNCTION float log2f(float x) { return dpep::device::log2(x); }
DPEP_FUNCTION double log2(double x) { return dpep::device::log2(x); }
DPEP_FUNCTION float log10f(float x) { return dpep::device::log10(x); }
DPEP_FUNCTION double log10(double x) { return dpep::device::log10(x); }
}
