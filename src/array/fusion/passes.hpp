// Passes: the parts of a program between reductions that must be complete before their results are used.
//
// A reduction is *inner* if each cell covers its reduced axes completely: its result is a tile like any other value.
// Otherwise it is *outer*: cells add to states in memory, and the users of the result are in a later pass, which reads
// it as a temporary and computes again, along its own axes, all other values that it needs. So every program can be
// split. One pass is enough unless the result of an outer reduction is used along the reduced axes.
#pragma once

#include <vector>

#include "array/fusion/simplify.hpp"

namespace dpep::array {

struct pass_value : instruction {
  axis_set domain;                      // the axes of its computation: for a reduction with the reduced axes
  std::vector<std::int64_t> positions;  // see nest
  bool outer = false;                   // an outer reduction; `operand` is the temporary for its results
  // The value is input 0 with each element repeated along the innermost axis: for block kernels that have no form for
  // operands with one element for the whole block.
  bool expands = false;
  // With `expands`: the value is input 0, a short row, which is repeated as a whole along the lanes (flatten.hpp).
  bool repeats = false;
};

struct pass {
  std::vector<std::int64_t> sizes;
  std::vector<memory_operand> memory;  // the program's operands, then all temporaries so far
  std::vector<pass_value> code;        // of scalars, `operand` is the number among the program's scalar instructions
  int lanes = 0;                       // the axis along which block kernels iterate; -1: none
  int pattern = -1;  // the short axis of flattened rows (flatten.hpp), whose length divides a cell's lanes; -1: none
  axis_set whole;    // axes that each cell covers completely, for inner reductions
  axis_set axes;     // the union of all values' axes
};

/// Splits a program into passes. `aliased`: memory that is written may be read, too. Then nothing is stored before the
/// last reduction is complete, because later passes read operands again.
std::vector<pass> split(const nest &, bool aliased = false);

/// Whether one pass computes the program. For a reduction whose result is used along its reduced axes, that requires
/// cells that cover these axes completely.
bool schedulable(const program &) noexcept;

}  // namespace dpep::array
