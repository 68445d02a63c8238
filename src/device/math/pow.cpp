// Exports pow.
#include "device/math/pow.hpp"

extern "C" {

DPEP_FUNCTION float powf(float x, float y) { return dpep::device::pow(x, y); }
DPEP_FUNCTION double pow(double x, double y) { return dpep::device::pow(x, y); }
}
