// Division and remainders.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(division)
