// Maxima and minima of two values.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(extremes)
