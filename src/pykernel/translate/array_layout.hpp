// The lengths and strides of arrays.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

node extent(translation &, const value &array, int axis);
/// The stride of an axis, in elements.
node stride(translation &, const value &array, int axis);
/// The number of elements.
node elements(translation &, const value &array);

}  // namespace dpep::pykernel
