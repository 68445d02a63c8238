// Kernels of scans.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// `outer` times `length` times `inner` elements, scanned along the second axis; operand 0 to operand 1 of the program.
struct scan_task {
  accumulation how;
  dtype type;
  std::int64_t outer, length, inner;
  bool aligned = false;         // rows begin at multiples of 16 bytes
  std::size_t local_bytes = 0;  // the device's local memory
  friend bool operator==(const scan_task &, const scan_task &) = default;
};

/// A work-item for each row.
made_kernel make_row_scan(const scan_task &);

/// Columns, of which a work-group has a few, and several work-items each: for fewer than would keep a GPU busy.
made_kernel make_column_scan(const scan_task &);

/// Contiguous rows in tiles. Of many short rows each sub-group has one. Of long rows as many work-groups as a large GPU
/// has at once take tiles in order. Each keeps tiles in its local memory from when their totals are told until what
/// comes before is known, so that memory is read once and hardly anybody waits; each sum is made in one order.
///
/// Words are published with the launch's mark, scalar 0; operand 2 is the words, as many bytes as the workspace has.
made_kernel make_tile_scan(const scan_task &);

}  // namespace dpep::array::gpu
