// Kernels of scans.
#pragma once

#include <array>

#include <dpep/array_functions.hpp>

#include "array/gpu/kernels.hpp"

namespace dpep::array::gpu {

/// `outer` times `length` times `inner` elements, scanned along the second axis; operand 0 to operand 1 of the program.
struct scan_task {
  accumulation how;
  dtype type;
  std::int64_t outer, length, inner;
  friend bool operator==(const scan_task &, const scan_task &) = default;
};

/// A work-item for each row.
made_kernel make_row_scan(const scan_task &);

/// Contiguous rows in tiles, in one pass over memory. A tile's work-group publishes its total and adds up those of the
/// tiles before it; of every 512 tiles the last one publishes what has come together by then. So each sum is made in
/// one order, whoever comes first. The workspace is zero before the launch.
made_kernel make_tile_scan(const scan_task &);

/// Long contiguous rows, in two kernels: totals of chunks, then scans of them. The workspace is the first's.
std::array<made_kernel, 2> make_chunk_scan(const scan_task &);

}  // namespace dpep::array::gpu
