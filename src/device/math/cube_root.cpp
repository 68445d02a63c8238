// Exports cbrt.
#include "device/math/cube_root.hpp"

extern "C" {

DPEP_FUNCTION float cbrtf(float x) { return dpep::device::cbrt(x); }
DPEP_FUNCTION double cbrt(double x) { return dpep::device::cbrt(x); }
}
