// Generates the kernels of sorts.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

/// A stable sort of each of `rows` contiguous rows.
struct sort_task {
  dtype type;
  std::int64_t rows, length;
  bool descending, has_positions;
  device_sizes device;
  friend bool operator==(const sort_task &, const sort_task &) = default;
};

/// Memory operands of the kernels. Addresses may be null where the template says so.
namespace sort_operand {
enum : std::size_t {
  from,
  to,
  positions_from,
  positions_to,
  positions_out,
  cleared,  // the start of what the first kernel clears: the tickets, totals and counts
  totals,
  counts,
  next_counts,
  ticket,
  count
};
}

/// Whether a work-group sorts a row in local memory.
bool is_short_row(const sort_task &);
generated_kernel generate_row_sort(const sort_task &);

/// The kernels that sort longer rows. The last one runs once for each 8 bits of the keys; scalar 0 is the number of the
/// first of them.
struct sort_passes {
  generated_kernel clear;                  // sets words to zero
  generated_kernel count;                  // counts the digits of each row
  generated_kernel sweep;                  // moves the elements
  std::size_t totals_bytes, counts_bytes;  // for one digit
  std::size_t position_bytes;              // of a position between passes

  static constexpr std::size_t tickets_bytes = 256;  // a word for each digit
  std::size_t cleared_bytes(std::size_t digits) const {
    return tickets_bytes + std::max<std::size_t>(digits, 2) * totals_bytes + counts_bytes;
  }
};
/// Large tiles are faster for arrays that fill the device with them, but their kernel takes three times as long to
/// compile: a work-item's elements are in registers, so the code for each is repeated.
enum class tile_kind : std::uint8_t { small, large };
sort_passes generate_sort_passes(const sort_task &, tile_kind);
/// Whether lengths need 64 bits.
bool has_wide_indices(const sort_task &);
/// Whether large tiles are faster.
bool fills_device(const sort_task &);

}  // namespace dpep::array::gpu
