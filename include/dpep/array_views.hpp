// Views of an array's memory beyond its own elements and axes: by strides, as another dtype, and of all of the memory.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// A view from the array's first element with the given strides, in elements, which may be 0 or make elements overlap.
/// refusal::value for a view beyond the array's memory, and for as many strides as axes.
DPEP_API ndarray strided_view(const ndarray &, extents shape, extents strides);
/// The bytes of the elements as elements of another dtype. With another size of elements, the length of the last axis,
/// which must be contiguous, changes. refusal::value where that is impossible.
DPEP_API ndarray view_as(const ndarray &, dtype);
/// All elements of the memory that the array is a view of, as an array with one axis; nothing if the array has them
/// all, in the order of the memory.
DPEP_API std::optional<ndarray> base_of_view(const ndarray &);

}  // namespace dpep::array
