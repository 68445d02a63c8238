// Comparisons and classification of numbers.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(comparison)
