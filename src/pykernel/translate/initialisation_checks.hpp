// Detection of reads from private and local memory that was never written (DPEP_CHECK).
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

// The following do nothing for types without a shadow.

/// Emits an error if the element at the address was not written.
void check_initialised(translation &, type array_or_reference, node address);
void mark_initialised(translation &, type array_or_reference, node address);
/// Sets the flags of all elements of an array.
void mark_all(translation &, const value &array, bool written);

/// The distance in bytes from local memory to its shadow.
std::int64_t local_shadow_offset(type local_array);

}  // namespace dpep::pykernel
