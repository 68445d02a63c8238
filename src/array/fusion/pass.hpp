// A pass: a part of a program that one loop nest computes, see passes.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "array/fusion/program.hpp"

namespace dpep::array {

/// An instruction of a pass.
struct pass_value : instruction {
  axis_set domain;                      // the axes of its computation: for a reduction with the reduced axes
  std::vector<std::int64_t> positions;  // see nest in simplify.hpp
  bool outer = false;                   // an outer reduction; `operand` is the temporary for its results
  // The value is input 0 with each element repeated along the innermost axis: for block kernels that have no form for
  // operands with one element for the whole block.
  bool expands = false;
  // With `expands`: the value is input 0, a short row, which is repeated as a whole along the lanes (flatten.hpp).
  bool repeats = false;
};

/// The instructions that one loop nest executes, and their memory.
struct pass {
  std::vector<std::int64_t> sizes;
  std::vector<memory_operand> memory;  // the program's operands, then all temporaries so far
  std::vector<pass_value> code;        // of scalars, `operand` is the number among the program's scalar instructions
  int lanes = 0;                       // the axis along which block kernels iterate; -1: none
  int pattern = -1;  // the short axis of flattened rows (flatten.hpp), whose length divides a cell's lanes; -1: none
  axis_set whole;    // axes that each cell covers completely, for inner reductions
  axis_set axes;     // the union of all values' axes
};

}  // namespace dpep::array
