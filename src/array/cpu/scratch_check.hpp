// Checks of cell code for dpep's own tests: every read of scratch memory by calls and compiled loops.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Whether DPEP_CHECK_SCRATCH enables the checks: programs are checked when they are prepared, and scratch memory and
/// workspaces are filled with NaN before use.
bool checks_scratch() noexcept;

/// Sets all bytes to 255: NaN as a float, -1 as an integer.
void fill_with_nan(std::byte *memory, std::size_t bytes) noexcept;

/// Simulates the calls of each shape of cell and records which call wrote each byte of scratch memory. Throws
/// std::logic_error if a call accesses memory outside, reads a byte that was not written, or reads another value in a
/// later cell than in the first, or if a compiled loop leaves other values behind than the calls that it replaces.
void check_scratch(const pass_code &);

}  // namespace dpep::array
