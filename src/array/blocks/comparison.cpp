// Comparisons and kinds of numbers.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(comparison)
