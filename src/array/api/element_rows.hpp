// Element operations on few elements of slices, and on few elements with broadcasting.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Applies an operation of one or two operands with the calling thread, by a call of a block kernel for each row of the
/// result, if rows are long enough and their elements are adjacent in memory or one number. The operands are on one
/// queue, which is idle, and in memory. Otherwise returns an empty handle. `most`: elements of the result.
ndarray element_rows(opcode, const signature &, std::span<const operand>, const ndarray *out, usm_kind,
                     std::int64_t most);

}  // namespace dpep::array
