// Addition, subtraction, multiplication and signs.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(arithmetic)
