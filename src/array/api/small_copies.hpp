// Storing arrays and numbers into arrays: few elements at once by the calling thread, else as the graph does.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// to[...] = from, broadcast and cast. Checks are the callers'.
void store_values(const ndarray &to, const ndarray &from);
/// to[...] = value, which is what `converted` made of it for the dtype of `to`.
void store_number(const ndarray &to, const scalar &value);

}  // namespace dpep::array
