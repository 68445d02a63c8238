// Subscripts: elements and views that an index expression selects.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// `v[index]` of an array or a tuple; `e` is the whole expression.
/// Whether `of[index]` names the element of an array without axes, which is a number in compiled loops.
bool names_array_without_axes(const translation &, const value &of, const expression &index);
value subscript(translation &, const value &v, const expression &e);
/// The view of an array that an index selects. An element is a zero-dimensional view.
value subarray(translation &, const value &array, const expression &index, const expression &at);

}  // namespace dpep::pykernel
