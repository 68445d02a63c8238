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
enum : std::size_t { from, to, positions_from, positions_to, positions_out, counts, totals, count };
}

/// Whether a work-group sorts a row in local memory.
bool is_short_row(const sort_task &);
generated_kernel generate_row_sort(const sort_task &);

/// One pass over longer rows: the kernels that order them by 8 bits of their keys. Scalar 0 is the number of the first
/// bit.
struct sort_pass {
  generated_kernel count;    // counts the digits of each block of a row
  generated_kernel sum;      // sums the counts
  generated_kernel scatter;  // moves the elements
  std::size_t counts_bytes, totals_bytes;
  std::size_t position_bytes;  // of a position between passes
};
sort_pass generate_sort_pass(const sort_task &);

}  // namespace dpep::array::gpu
