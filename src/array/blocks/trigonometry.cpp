// Sines, cosines, tangents.
#include "array/blocks/element_kernels.hpp"

DPEP_DEFINE_FAMILY(trigonometry)
