// The values of a cell as the finders of compiled loops see them.
#pragma once

#include <cstdint>
#include <vector>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// An address that advances along the axes of a cell.
struct strided_address {
  address at;
  std::vector<std::int64_t> strides;
};

/// A value of a cell: where it is, and the calls that compute it.
struct cell_value {
  strided_address location;                 // of outer reductions, the states of the segment
  strided_address position;                 // of reductions with positions
  std::uint16_t first_call = 0, calls = 0;  // none for operands in memory, scalars, and stores without a call
};

/// Whether a compiled loop can contain the operation of the value.
bool can_fuse(const schedule &, const pass_value &);

}  // namespace dpep::array
