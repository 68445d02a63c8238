// Checks of cell code for dpep's own tests: what every call and every compiled run reads of scratch memory.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Whether DPEP_CHECK_SCRATCH asks for the checks: of programs when they are prepared, and scratch memory and
/// workspaces that are filled with NaN before use.
bool checks_scratch() noexcept;

/// All bytes 255: NaN as a float, -1 as an integer.
void fill_with_nan(std::byte *memory, std::size_t bytes) noexcept;

/// Follows the calls of each kind of cell and remembers which call wrote each byte of scratch memory. Throws
/// std::logic_error where a call reaches beyond it, reads a byte that nothing wrote, finds another value in a later
/// cell than in the first, or where a compiled run leaves something else behind than the calls that it stands for.
void check_scratch(const lowered &);

}  // namespace dpep::array
