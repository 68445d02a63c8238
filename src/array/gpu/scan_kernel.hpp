// Kernels of scans.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/gpu/kernels.hpp"

namespace dpep::array::gpu {

/// `outer` times `length` times `inner` elements, scanned along the second axis; operand 0 to operand 1 of the program.
struct scan_task {
  accumulation how;
  dtype type;
  std::int64_t outer, length, inner;
  bool aligned = false;  // rows begin at multiples of 16 bytes
  friend bool operator==(const scan_task &, const scan_task &) = default;
};

/// A work-item for each row.
made_kernel make_row_scan(const scan_task &);

/// Columns, of which a work-group has a few, and several work-items each: for fewer than would keep a GPU busy.
made_kernel make_column_scan(const scan_task &);

/// Contiguous rows in tiles. Of many short rows each sub-group has one. Long rows are read twice, but from the GPU's
/// memory once: for each tile there is a work-group that publishes its total, and another, which begins some hundred
/// tiles later, that scans it while the tile is still in the cache and what comes before is known. Nobody waits long
/// for anybody, and each sum is made in one order, whoever comes first. (Looking back for totals from the tile that is
/// being scanned moves less through the cache, but all wait for the slowest: on an H200 that is 10 % slower.)
///
/// Words are published with the launch's mark, scalar 0; operand 2 is the words, as many bytes as the workspace has.
made_kernel make_tile_scan(const scan_task &);

}  // namespace dpep::array::gpu
