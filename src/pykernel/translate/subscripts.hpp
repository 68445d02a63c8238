// Subscripts: elements and views that an index expression selects.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// `v[index]` of an array or a tuple; `e` is the whole expression.
value subscript(translation &, const value &v, const expression &e);
/// The view of an array that an index selects. An element is a zero-dimensional view.
value subarray(translation &, const value &array, const expression &index, const expression &at);

}  // namespace dpep::pykernel
