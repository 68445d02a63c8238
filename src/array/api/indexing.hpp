// What the functions of dpep/array_indexing.hpp share: checks of indices, and the elements at few indices.
#pragma once

#include <dpep/array_indexing.hpp>

#include "array/graph/array_object.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {

/// The indices along an axis of length n, as a node of int64 in [0, n): checked by `mode`, negative ones replaced.
/// refusal::index for an array that is not of integers, or for an index out of bounds; `axis` is named in errors. With
/// index_mode::check, waits for the largest and the smallest index.
ref<node> checked_indices(const char *operation, const ndarray &indices, std::int64_t n, int axis, index_mode mode);

/// The elements of an array at the indices along consecutive axes.
struct indexed_elements {
  layout through;                     // of the result's shape, with stride 0 along the axes of the indices
  std::vector<ndarray> indices;       // for each axis, with axes of length 1 at the end, to broadcast to the shape
  std::vector<std::int64_t> lengths;  // of these axes
  std::vector<std::int64_t> strides;  // of these axes
  int first_axis = 0;                 // the first of these axes, for errors
};
/// The axis of take() and put(): of an array without axes, the one that with_an_axis() adds; the only one for nothing.
int single_axis(const char *operation, const ndarray &, std::optional<int> axis);
/// The array; one without axes as one of one element.
ndarray with_an_axis(const ndarray &);
/// Checks the arguments of take_elements and put_elements, except the indices' values.
indexed_elements find_elements(const char *operation, const array_object &x, std::span<const ndarray> indices, int axis,
                               index_mode);
/// The distance of each element from the element that `through` gives, in elements: of the result's shape or of one
/// that is broadcast to it.
ref<node> offsets_of(const char *operation, const indexed_elements &, index_mode);

/// Few elements, for the calling thread: the same distances, in row-major order of the shape. Empty if there are more
/// than `max_few_elements`, or indices that the calling thread cannot read now.
inline constexpr std::int64_t max_few_elements = 1024;
std::vector<std::int64_t> few_offsets_of(const indexed_elements &, index_mode);

}  // namespace dpep::array
