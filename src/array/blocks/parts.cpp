// Parts of complex and floating-point numbers.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(parts)
