// Maxima and minima.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(extremes)
