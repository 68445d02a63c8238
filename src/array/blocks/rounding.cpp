// Rounding to integers.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(rounding)
