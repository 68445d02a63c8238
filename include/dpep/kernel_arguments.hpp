// Arrays as kernel arguments: their addresses, without waiting for their values.
#pragma once

#include <dpep/array.hpp>

namespace dpep::array {

/// The address of the array's first element. Submits the array's pending operations but does not wait for them: a
/// kernel that uses the memory must depend on last_event, and order_after makes later array operations wait for it.
DPEP_API void *first_element(const ndarray &);

}  // namespace dpep::array
