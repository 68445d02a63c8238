// Schedules: how a program's iteration space is walked.
//
// The space is cut into cells. A cell holds, of each axis, all of it, a block of it, or one index; inside a cell every
// value is a tile in scratch memory that fits the first-level cache. One axis, the lanes, is contiguous in tiles: block
// kernels run along it. Cells are walked in loops, outermost first; what does not vary along inner loops is computed
// when the outer ones step (so a block of samples is loaded and transposed once and used for all points). Cells are
// grouped into segments, the units of parallel work; the cut depends on sizes only, never on the number of threads, so
// that sums over segments are the same on every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/program.hpp"

namespace dpep::array {

struct axis_plan {
  std::int64_t size = 1;
  std::int64_t extent = 1;  // indices in a cell
  std::int64_t steps() const noexcept { return (size + extent - 1) / extent; }
};

/// Where a value's tile lies: element strides for each axis inside the cell (0 where it does not vary).
struct value_tile {
  std::size_t offset = 0;  // in a thread's scratch memory, bytes
  std::size_t bytes = 0;
  std::vector<std::int64_t> strides;  // in elements
  bool in_memory = false;             // no tile: the operand's memory itself is used (contiguous along the lanes)
  int level = 0;                      // computed when loop `level` steps (0: once a segment)
};

struct schedule {
  std::vector<axis_plan> axes;
  int lanes = 0;                  // the axis along which blocks lie
  std::vector<int> loops;         // axes walked between cells, outermost first; those with one step are not here
  std::vector<value_tile> tiles;  // one for each instruction
  std::int64_t cells = 1;
  std::int64_t cells_per_segment = 1;  // consecutive in the order of the loops
  std::size_t scratch_bytes = 0;
  double nanoseconds_per_cell = 0;  // an estimate
};

/// Whether one pass can do it: a reduction whose result is used along the axes that it went over needs these axes
/// whole inside a cell. The fusion asks before it joins nodes.
bool schedulable(const program &) noexcept;
schedule plan(const program &);

}  // namespace dpep::array
