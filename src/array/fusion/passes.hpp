// Passes: the parts of a program between reductions that must be complete before their results are used.
//
// A reduction is *inner* if each cell covers its reduced axes completely: its result is a tile like any other value.
// Otherwise it is *outer*: cells add to states in memory, and the users of the result are in a later pass, which reads
// it as a temporary and computes again, along its own axes, all other values that it needs. So every program can be
// split. One pass is enough unless the result of an outer reduction is used along the reduced axes.
#pragma once

#include <vector>

#include "array/fusion/pass.hpp"
#include "array/fusion/simplify.hpp"

namespace dpep::array {

/// Splits a program into passes. `aliased`: memory that is written may be read, too. Then nothing is stored before the
/// last reduction is complete, because later passes read operands again.
std::vector<pass> split(const nest &, bool aliased = false);

/// Whether one pass computes the program. For a reduction whose result is used along its reduced axes, that requires
/// cells that cover these axes completely.
bool schedulable(const program &) noexcept;

}  // namespace dpep::array
