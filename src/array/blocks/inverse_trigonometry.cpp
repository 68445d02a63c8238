// Inverse trigonometric functions.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(inverse_trigonometry)
