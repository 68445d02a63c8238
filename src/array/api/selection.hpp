// What functions of masks, scatters and searches share: submission, and checks and conversion of values.
#pragma once

#include <functional>

#include <dpep/array_indexing.hpp>

#include "array/executor.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array {

/// Submits work in order with the queue's other work, and keeps the arrays alive until it is complete. `start` receives
/// what the work must wait for, and returns its event.
void submit(const queue &, std::initializer_list<ndarray> used,
            const std::function<event(const ordered_dependencies &)> &start);
/// The same for a step of a selection.
void submit(const queue &, selection_step, const selection_arguments &, std::initializer_list<ndarray> used);
/// Throws for a read-only array, values on another queue, and values that would lose imaginary parts.
void check_assignable(const char *operation, const ndarray &to, const ndarray &values);
/// The values in the array's dtype, contiguous, in memory that is not the array's.
ndarray rows_of(const ndarray &values, const ndarray &to);

}  // namespace dpep::array
