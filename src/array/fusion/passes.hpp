// Passes: a program cut where a reduction has to be complete before its result can be used.
//
// A reduction is *inner* when the axes that it goes over lie whole inside a cell: its result is a tile like any other.
// It is *outer* otherwise: cells add to states in memory, and what needs the result comes in a later pass, which reads
// it as a temporary and computes again, along its own axes, whatever else it needs. So every program can be done; one
// pass does it unless a result is used along the axes that it was reduced over.
#pragma once

#include <vector>

#include "array/fusion/simplify.hpp"

namespace dpep::array {

struct pass_value : instruction {
  axis_set domain;  // the axes that computing it goes over: for a reduction, the reduced ones too
  std::vector<std::int64_t> positions;
  bool outer = false;    // a reduction into states; `operand` is the temporary for its results
  bool expands = false;  // input 0 repeated along the innermost axis, for block kernels that want all operands so
  bool repeats = false;  // an expansion of the values along a short axis, again and again along the lanes; see flatten
};

struct pass {
  std::vector<std::int64_t> sizes;
  std::vector<memory_operand> memory;  // the program's, then all temporaries so far
  std::vector<pass_value> code;        // scalars' `operand`: which of the program's scalar instructions
  int lanes = 0;                       // the axis along which blocks lie
  int pattern = -1;                    // an axis whose values are repeated along the lanes: cells hold whole periods
  axis_set whole;                      // axes that inner reductions need whole in a cell
  axis_set axes;                       // of all of its values
};

/// `aliased`: memory that is written may be read, too: nothing is stored before the last reduction is complete, since
/// later passes read operands again.
std::vector<pass> split(const nest &, bool aliased = false);

/// Whether one pass computes the program. A reduction whose result is used along its reduced axes needs these axes whole
/// inside a cell.
bool schedulable(const program &) noexcept;

}  // namespace dpep::array
