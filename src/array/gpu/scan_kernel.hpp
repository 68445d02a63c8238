// Generates the kernels of scans.
#pragma once

#include <dpep/array_functions.hpp>

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// A scan of `outer` times `length` times `inner` elements along the second axis, from memory operand 0 to operand 1.
struct scan_task {
  accumulation how;
  dtype type;
  std::int64_t outer, length, inner;
  bool aligned;  // rows start at multiples of 16 bytes
  device_sizes device;
  friend bool operator==(const scan_task &, const scan_task &) = default;
};

/// One work-item for each row.
generated_kernel generate_row_scan(const scan_task &);

/// A work-group scans a few columns, with several work-items for each: for fewer columns than occupy a GPU.
generated_kernel generate_column_scan(const scan_task &);

/// Scans contiguous rows in tiles. Of many short rows, each sub-group scans one. Of long rows, as many work-groups as
/// the device runs at once take tiles in order. A work-group keeps a tile in local memory from the time when it
/// publishes the total of the tile until the sum of all tiles before is known, so that memory is read once and waiting
/// is rare. The order of additions is fixed.
///
/// Published words contain the tag of the launch, scalar 0. Operand 2 is the published words, as many bytes as the
/// workspace has.
generated_kernel generate_tile_scan(const scan_task &);

}  // namespace dpep::array::gpu
