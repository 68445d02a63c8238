// Arrays as arguments of kernels: where their elements are, without waiting for them.
#pragma once

#include <dpep/array.hpp>

namespace dpep::array {

/// The address of the array's first element. What is pending for it is submitted, not waited for: a kernel that uses
/// the memory waits for last_event, and order_after makes later array work wait for the kernel.
DPEP_API void *first_element(const ndarray &);

}  // namespace dpep::array
