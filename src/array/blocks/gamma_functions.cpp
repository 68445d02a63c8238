// The digamma, zeta and beta functions.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(gamma_functions)
