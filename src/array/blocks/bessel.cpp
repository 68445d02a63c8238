// Bessel functions.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(bessel)
