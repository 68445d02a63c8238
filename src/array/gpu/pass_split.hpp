// Splits a program into kernels for GPUs.
//
// A reduction over few elements is computed inside a work-item, any other by a kernel over its iteration space: the
// kept axes and the reduced axes. Values that depend on its result join the kernel if they need no other work-group:
// stores of each kept element at the end and, if work-groups compute whole rows, stores along the row and further
// reductions of the row. All other values are computed by later kernels, which read results as temporaries and
// recompute cheap values.
#pragma once

#include <vector>

#include "array/gpu/item_values.hpp"

namespace dpep::array::gpu {

struct temporary {
  value_id value;
  std::uint16_t operand;  // index into the program's memory operands
};

struct kernel_pass {
  axis_set kept, reduced;                     // a pass without stages has kept axes only
  std::vector<std::vector<value_id>> stages;  // reductions; a stage may depend on the stages before it
  std::vector<value_id> kept_stores;          // of values that vary along the kept axes only
  std::vector<value_id> row_stores;           // of values that vary along all axes
  std::vector<temporary> temporaries;         // reductions whose results later kernels read
  bool whole_rows = false;                    // a work-group computes whole rows
};

/// Decides which reductions are computed inside a work-item, and estimates compile times.
void classify_reductions(kernel_program &);
/// Splits the program into passes, and adds temporaries to it.
std::vector<kernel_pass> split_into_passes(kernel_program &);

}  // namespace dpep::array::gpu
