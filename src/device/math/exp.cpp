// Exports the exponential functions.
#include "device/math/exp.hpp"

extern "C" {
[[gnu::always_inline]] float expf(float x) { return dpep::device::exp(x); }
}
