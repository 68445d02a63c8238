// Schedules: the loop nest that executes a pass.
//
// The iteration space is cut into cells. A cell contains, of each axis, all indices, a block, or one index. Inside a
// cell, every value is a tile in scratch memory that fits the first-level cache, or is in operand memory. One axis, the
// lanes, is contiguous in tiles: block kernels iterate over it. Loops iterate over cells, outermost first. Values that
// do not vary along inner loops are computed when outer loops step (so a block of samples is loaded and transposed once
// and used for all points). Cells are grouped into segments, the units of parallel work. The cut depends on sizes only,
// never on the number of threads, so that sums over segments are the same in every execution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/fusion/pass.hpp"

namespace dpep::array {

struct axis_schedule {
  std::int64_t size = 1;
  std::int64_t extent = 1;  // indices in a cell
  std::int64_t chunk = 1;   // steps in a segment
  std::int64_t steps() const noexcept { return extent ? (size + extent - 1) / extent : 0; }
  std::int64_t chunks() const noexcept { return chunk ? (steps() + chunk - 1) / chunk : 0; }
};

/// The location of a value during a cell.
struct value_placement {
  enum class kind : std::uint8_t { nowhere, tile, memory } what = kind::nowhere;
  std::uint16_t operand = 0;  // memory: the operand; a value that is stored unchanged is computed in its destination
  std::size_t offset = 0, bytes = 0;  // tile: in the thread's scratch memory
  std::vector<std::int64_t> strides;  // in bytes, for each axis; 0 where it does not vary in the cell
  int level = 0;                      // computed when a loop before this one steps; 0: once a segment
  // reductions: the states that a cell accumulates in; outer reductions may use the states of the segment directly
  bool has_states = false;
  std::size_t states_offset = 0, states_bytes = 0;
  std::vector<std::int64_t> state_strides;
};

struct schedule {
  pass work;  // with elements repeated where block kernels need it
  std::vector<axis_schedule> axes;
  std::vector<int> order;  // all axes, the lanes first: the layout of tiles, innermost first
  std::vector<int> loops;  // axes of loops over cells, outermost first; without those that have one step
  std::vector<value_placement> placements;  // one for each value
  std::vector<bool> direct;                 // stores without a call: the value is computed in their memory
  std::vector<bool> nontemporal;            // stores with non-temporal instructions
  std::size_t scratch_bytes = 0;
  std::int64_t segments = 1;
  double nanoseconds = 0;  // estimated time on one thread

  /// The innermost axis of a tile or loop nest over these axes; -1 if it is one element.
  int innermost(axis_set of) const noexcept {
    for (const int a : order)
      if (of.has(a) && axes[std::size_t(a)].extent > 1) return a;
    return -1;
  }
};

}  // namespace dpep::array
