// Folds: functions of two operands that are applied to elements and to their own results.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Whether the functions below compute folds by the operation of elements of the dtype. They do on CPUs, for operations
/// whose operands and results may all have that dtype.
DPEP_API bool can_fold(const queue &, opcode, dtype);
/// The results of applying the operation to the first one, two, … elements along the axis, from the first one to the
/// last: an array of the same shape and dtype. refusal::type if there is no such fold, refusal::axis. `name` is the
/// function's in errors.
DPEP_API ndarray fold_along(const char *name, opcode, const ndarray &, int axis);
/// The reductions of segments of an axis. The i-th begins at starts[i] and ends before starts[i + 1], or at the end of
/// the axis; it has one element if starts[i + 1] is not greater. `starts` are integers along one axis. The order of
/// operations that are associative and commutative is unspecified, other operations are applied in order. Waits for
/// `starts`. refusal::type as above and for other starts; refusal::index for starts outside of the axis.
DPEP_API ndarray fold_segments(const char *name, opcode, const ndarray &, const ndarray &starts, int axis);

}  // namespace dpep::array
