// Stores of arrays and numbers into arrays: few elements by the calling thread, others by the deferred queue.
#pragma once

#include <span>

#include <dpep/array_functions.hpp>

namespace dpep::array {

class array_object;

/// to[...] = from, with broadcasting and casts. Arguments are checked by the callers.
void store_values(const ndarray &to, const ndarray &from);
/// The same for disjoint parts of new memory. Parts of one shape that are not small are stored in one pass.
void store_parts(std::span<const ndarray> to, std::span<const ndarray> from);
/// to[...] = value, which must be a result of converted() for the dtype of `to`.
void store_number(const ndarray &to, const scalar &value);
/// Copies the elements of an array, which is in memory that the calling thread may access now, in row-major order.
/// Returns false if its layout has more than two axes that cannot be merged.
bool copy_in_rows(void *to, array_object &from);

}  // namespace dpep::array
