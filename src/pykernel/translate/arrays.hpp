// Arrays: elements, rows, attributes.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The index of an axis as an i64, wrapped if it is negative, and checked if the kernel has checks.
/// With DPEP_CHECK: emits the check that an index is in the range of a tuple.
void check_tuple_index(translation &, node index, std::int64_t length, const expression &at);
node checked_index(translation &, const value &array, const value &index, int axis, const expression &at);
/// The address of an element, given an index for each axis.
node element_address(translation &, const value &array, const std::vector<value> &indices, const expression &at);
/// As element_address, but reports a wrong number of indices.
node address_of(translation &, const value &array, const std::vector<value> &indices, const expression &at);
value load(translation &, const value &array, node address);
void store(translation &, const value &array, node address, const value &, const expression &at);

/// `array[index]`: a scalar of a one-dimensional array, else a view of one row.
value element_or_row(translation &, const value &array, const value &index, const expression &at);
/// A zero-dimensional view of the element at an address.
value element_reference(const value &array, node address);

value array_attribute(translation &, const value &, const std::string &name, const expression &at);

}  // namespace dpep::pykernel
