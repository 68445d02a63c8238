// What functions of masks and scatters share: submission, and checks and conversion of values.
#pragma once

#include <dpep/array_indexing.hpp>

#include "array/executor.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array {

/// Submits a step in order with the queue's other work, and keeps the arrays alive until it is complete.
void submit(const queue &, selection_step, const selection_arguments &, std::initializer_list<ndarray> used);
/// Throws for a read-only array, values on another queue, and values that would lose imaginary parts.
void check_assignable(const char *operation, const ndarray &to, const ndarray &values);
/// The values in the array's dtype, contiguous, in memory that is not the array's.
ndarray rows_of(const ndarray &values, const ndarray &to);

}  // namespace dpep::array
