// Views of diagonals.
#include <dpep/array_functions.hpp>

#include <algorithm>

#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {

ndarray diagonal(const ndarray &x, std::int64_t offset, int axis1, int axis2) {
  const std::size_t dimensions = implementation_of(x, "diagonal").layout.shape.size();
  if (dimensions < 2) refuse(refusal::value, "diagonal: the array must have at least two axes, got {}", dimensions);
  const int given[] = {axis1, axis2};
  static_cast<void>(checked_axes("diagonal", given, dimensions));
  const int to[] = {-2, -1};
  const ndarray moved = moveaxis(x, given, to);
  array_object &a = implementation_of(moved, "diagonal");
  static_cast<void>(a.memory());  // a pending array has no such view
  const layout &l = a.layout;
  const std::size_t first = dimensions - 2, second = dimensions - 1;
  extents_list shape(dimensions - 1), strides(dimensions - 1);
  std::copy_n(l.shape.begin(), first, shape.begin());
  std::copy_n(l.strides.begin(), first, strides.begin());
  const std::int64_t row = std::max<std::int64_t>(-offset, 0), column = std::max<std::int64_t>(offset, 0);
  shape[first] = std::max<std::int64_t>(std::min(l.shape[first] - row, l.shape[second] - column), 0);
  strides[first] = l.strides[first] + l.strides[second];
  const std::int64_t start = shape[first] ? row * l.strides[first] + column * l.strides[second] : 0;
  return make_view(a, layout(std::move(shape), std::move(strides), l.offset + start));
}

}  // namespace dpep::array
