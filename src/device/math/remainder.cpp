// Exports fmod and nextafter.
#include "device/math/remainder.hpp"

extern "C" {

DPEP_FUNCTION float fmodf(float x, float y) { return dpep::device::fmod(x, y); }
DPEP_FUNCTION double fmod(double x, double y) { return dpep::device::fmod(x, y); }
DPEP_FUNCTION float nextafterf(float x, float y) { return dpep::device::nextafter(x, y); }
DPEP_FUNCTION double nextafter(double x, double y) { return dpep::device::nextafter(x, y); }
}
