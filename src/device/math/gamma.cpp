// Exports tgamma and lgamma.
#include "device/math/gamma.hpp"

extern "C" {

DPEP_FUNCTION float tgammaf(float x) { return dpep::device::tgamma(x); }
DPEP_FUNCTION double tgamma(double x) { return dpep::device::tgamma(x); }
DPEP_FUNCTION float lgammaf(float x) { return dpep::device::lgamma(x); }
DPEP_FUNCTION double lgamma(double x) { return dpep::device::lgamma(x); }
}
