// A program cut into kernels for GPUs.
//
// A reduction over few elements is done inside a work-item, any other by a kernel over its space: the axes that it
// keeps and those that it goes over. What is computed from its result joins the kernel where it needs no other
// work-group: in the end, of each kept element, and, where work-groups have whole rows, along the row again, with
// further reductions of it before. Everything else comes in later kernels, which read results as temporaries and
// compute again what is cheap.
#pragma once

#include <vector>

#include "array/gpu/item_values.hpp"

namespace dpep::array::gpu {

struct temporary {
  value_id value;
  std::uint16_t operand;  // of the work's memory
};

struct kernel_pass {
  axis_set kept, reduced;                     // without stages: all axes are kept
  std::vector<std::vector<value_id>> stages;  // reductions, each stage's after those before
  std::vector<value_id> kept_stores;          // of what varies along the kept axes only
  std::vector<value_id> row_stores;           // of what varies along all
  std::vector<temporary> temporaries;         // reductions whose results later kernels read
  bool whole_rows = false;                    // a work-group does all of a row
};

/// Finds which reductions are done inside a work-item, and how long compiling values takes.
void examine(work &);
/// Adds temporaries to the work.
std::vector<kernel_pass> split_for_gpu(work &);

}  // namespace dpep::array::gpu
