// Exports what compilers call to convert half precision where the processor cannot.
#include "device/math/half.hpp"

extern "C" {

float __extendhfsf2(_Float16 x) { return dpep::device::widen(__builtin_bit_cast(std::uint16_t, x)); }
_Float16 __truncsfhf2(float x) { return __builtin_bit_cast(_Float16, dpep::device::narrow(x)); }
_Float16 __truncdfhf2(double x) { return __builtin_bit_cast(_Float16, dpep::device::narrow(x)); }
}
