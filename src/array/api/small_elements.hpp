// Element operations on few elements, done at once by one call of a block kernel.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The result, or an empty handle when the operation is not of this kind (or would be refused): without a node, a
/// schedule or a launch, all of which cost more than the work. Contiguous operands of one shape, or single numbers, on
/// one idle queue of a device that shares the host's memory.
ndarray small_element(opcode, std::span<const operand>, const element_options &);

}  // namespace dpep::array
