// Rounding to whole numbers.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(rounding)
