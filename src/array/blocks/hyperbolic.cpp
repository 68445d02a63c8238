// Hyperbolic functions and their inverses.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(hyperbolic)
