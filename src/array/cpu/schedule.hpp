// Schedules: how the iteration space of a pass is walked.
//
// The space is cut into cells. A cell holds, of each axis, all of it, a block of it, or one index; inside a cell every
// value is a tile in scratch memory that fits the first-level cache, or lies where it is in memory. One axis, the
// lanes, is contiguous in tiles: block kernels run along it. Cells are walked in loops, outermost first; what does not
// vary along inner loops is computed when the outer ones step (so a block of samples is loaded and transposed once and
// used for all points). Cells are grouped into segments, the units of parallel work; the cut depends on sizes only,
// never on the number of threads, so that sums over segments are the same on every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/fusion/passes.hpp"

namespace dpep::array {

struct axis_plan {
  std::int64_t size = 1;
  std::int64_t extent = 1;  // indices in a cell
  std::int64_t chunk = 1;   // steps in a segment
  std::int64_t steps() const noexcept { return extent ? (size + extent - 1) / extent : 0; }
  std::int64_t chunks() const noexcept { return chunk ? (steps() + chunk - 1) / chunk : 0; }
};

/// Where a value lies during a cell.
struct value_place {
  enum class kind : std::uint8_t { nowhere, tile, memory } what = kind::nowhere;
  std::uint16_t operand = 0;          // memory: which; what is stored as it is made is made there
  std::size_t offset = 0, bytes = 0;  // tile: in a thread's scratch memory
  std::vector<std::int64_t> strides;  // in bytes, for each axis; 0 where it does not vary in the cell
  int level = 0;                      // computed when a loop before this one steps (0: once a segment)
  // reductions: the states that a cell adds to; outer ones may add to those of the segment directly
  bool has_states = false;
  std::size_t states_offset = 0, states_bytes = 0;
  std::vector<std::int64_t> state_strides;
};

struct schedule {
  pass work;  // with values expanded where block kernels want it
  std::vector<axis_plan> axes;
  std::vector<int> order;           // all axes, the lanes first: how tiles are laid out, innermost first
  std::vector<int> loops;           // axes walked between cells, outermost first; those with one step are not here
  std::vector<value_place> places;  // one for each value
  std::vector<bool> direct;         // stores that need nothing done: the value is made in their memory
  std::vector<bool> streams;        // stores past the caches
  std::size_t scratch_bytes = 0;
  std::int64_t segments = 1;
  double nanoseconds = 0;  // all of it on one thread; an estimate

  /// The innermost axis of a tile or a walk over these axes; -1 when it is one element.
  int innermost(axis_set of) const noexcept {
    for (const int a : order)
      if (of.has(a) && axes[std::size_t(a)].extent > 1) return a;
    return -1;
  }
};
/// `aliased`: memory that is written may be read, too (the same elements at the same indices).
schedule plan(pass, bool aliased);

}  // namespace dpep::array
