// Element operations on few elements, by one call of a block kernel.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Computes the operation at once, without a node, a schedule or a launch, all of which cost more than the computation.
/// Operands must be row-major arrays, slices of such arrays, or single numbers, on one idle queue of a device that
/// shares the host's memory. They have one shape, or are broadcast to rows. Otherwise, and if the operation would
/// throw, returns an empty handle.
ndarray small_element(opcode, std::span<const operand>, const element_options &);

}  // namespace dpep::array
