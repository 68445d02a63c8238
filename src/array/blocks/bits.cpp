// Logical and bitwise operations.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(bits)
