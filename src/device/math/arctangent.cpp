// Exports the inverse trigonometric functions.
#include "device/math/arctangent.hpp"

extern "C" {

DPEP_FUNCTION float atan2f(float y, float x) { return dpep::device::atan2(y, x); }
DPEP_FUNCTION double atan2(double y, double x) { return dpep::device::atan2(y, x); }
DPEP_FUNCTION float atanf(float x) { return dpep::device::atan(x); }
DPEP_FUNCTION double atan(double x) { return dpep::device::atan(x); }
DPEP_FUNCTION float asinf(float x) { return dpep::device::asin(x); }
DPEP_FUNCTION double asin(double x) { return dpep::device::asin(x); }
DPEP_FUNCTION float acosf(float x) { return dpep::device::acos(x); }
DPEP_FUNCTION double acos(double x) { return dpep::device::acos(x); }
}
