// Searches in sorted arrays, and arrays as sets.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The position of an element among sorted ones that are equal to it: before them, or behind them.
enum class side : std::uint8_t { left, right };

/// For each needle, the position at which it could be inserted into `sorted`, which has one axis and is in the order of
/// sort(), so that the order is kept: int64, in the shape of the needles. Both are compared in the dtype that they are
/// promoted to; zeros of both signs, and all NaNs, are equal. With `sorter`, integers in the shape of `sorted`, the
/// sorted elements are those at these indices, which are treated as by index_mode::wrap.
DPEP_API ndarray searchsorted(const ndarray &sorted, const ndarray &needles, side, const ndarray *sorter = nullptr);
/// The position of each element among the edges of bins, which increase or decrease: the number of the bin from one
/// edge, which belongs to it, to the next, or with `right` from behind one edge to the next, which belongs to it.
/// refusal::type for complex elements.
DPEP_API ndarray digitize(const ndarray &, const ndarray &edges, bool right);
/// Different elements of an array in order. The other arrays are missing unless they are wanted.
struct unique_elements {
  ndarray values;
  ndarray indices;  // of the first element, in the flattened array, that is equal to each value; int64
  ndarray inverse;  // for each element, the index of its value; int64, in the array's shape
  ndarray counts;   // the number of elements that are equal to each value; int64
};
struct unique_parts {
  bool indices = false, inverse = false, counts = false;
};
/// The different elements in the order of sort(). NaNs are different from each other, unless `equal_nan` is set: then
/// all NaNs are one value, the first in order.
DPEP_API unique_elements unique(const ndarray &, unique_parts, bool equal_nan);
/// The same for the subarrays at each index of an axis, which are ordered lexicographically. `inverse` has one axis.
DPEP_API unique_elements unique_along(const ndarray &, int axis, unique_parts);
/// Whether each element is equal to one of `test`, or with `invert`, to none: bools in the shape of `elements`. At
/// least one of both is an array; they are compared in the dtype in which opcode::equal compares them.
DPEP_API ndarray isin(const operand &elements, const operand &test, bool invert);

}  // namespace dpep::array
