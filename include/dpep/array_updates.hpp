// Updates of elements at indices, which may be repeated, by element operations.
#pragma once

#include <dpep/array_indexing.hpp>

namespace dpep::array {

/// Whether update_elements() exists for the operation. It does on CPUs, except for powers.
DPEP_API bool can_update(const queue &, opcode) noexcept;
/// x[parts] = code(x[parts], value), once for each occurrence of an element, in the order of the indices. `value` is
/// broadcast to the shape of x[parts]; null for an operation of one operand. Results are cast to the dtype of x after
/// each step. Waits for the arrays. `name` is the function's in errors. refusal::value for a read-only array and values
/// that cannot be broadcast, refusal::type for complex results and an array that is not complex, refusal::index for
/// indices out of bounds: then no element is changed.
DPEP_API void update_elements(const char *name, opcode, const ndarray &x, std::span<const index_part> parts,
                              const operand *value);

}  // namespace dpep::array
