// The incomplete gamma functions, whose loops end at the required accuracy.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(incomplete_gamma)
