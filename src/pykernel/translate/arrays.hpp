// Arrays: elements, views, attributes; private and local memory.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

node extent(translation &, const value &array, int axis);
/// The stride of an axis, in elements.
node stride(translation &, const value &array, int axis);
/// The number of elements.
node elements(translation &, const value &array);

/// The address of an element, given an index for each axis.
node element_address(translation &, const value &array, const std::vector<value> &indices, const expression &at);
/// As element_address, but reports a wrong number of indices.
node address_of(translation &, const value &array, const std::vector<value> &indices, const expression &at);
value load(translation &, const value &array, node address);
void store(translation &, const value &array, node address, const value &, const expression &at);

/// `v[index]` of an array or a tuple; `e` is the whole expression.
value subscript(translation &, const value &v, const expression &e);
/// The view of an array that an index selects. An element is a zero-dimensional view.
value subarray(translation &, const value &array, const expression &index, const expression &at);
/// `array[index]`: a scalar of a one-dimensional array, else a view of one row.
value element_or_row(translation &, const value &array, const value &index, const expression &at);
/// A zero-dimensional view of the element at an address.
value element_reference(const value &array, node address);

value array_attribute(translation &, const value &, const std::string &name, const expression &at);
/// The value of a compile-time constant shape. `what` names it in the error message.
std::vector<std::int64_t> constant_shape(translation &, const value &, const expression &at, const std::string &what);

value private_array(translation &, const std::vector<std::int64_t> &shape, dtype, bool zeroed);
value local_array(translation &, const std::vector<std::int64_t> &shape, dtype, const expression &at);
/// The local array of this number, counted from 1 in the order of allocation.
value local_array(translation &, std::size_t number);

}  // namespace dpep::pykernel
