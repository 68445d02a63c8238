// Finding, among a cell's calls, runs of element operations that one compiled loop can do.
#pragma once

#include <span>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Whether the run's kernel has a work-item for each element, for the vectoriser that knows branches and loops:
/// functions of users may have some, and those of the library that look at large arguments by themselves do.
bool goes_by_items(const element_run &) noexcept;

/// Fills `code.fused`. `levels`: of each call, the loop that it is computed in: runs are of one level, so that they are
/// done as a whole or not at all.
void find_runs(cell_code &code, std::span<const int> levels);

/// The run of one call of a user's function, repeated as `walks` say.
fused_call make_alone(const call &, std::span<const walk> walks);

/// Does a fused call with its compiled function.
void do_fused(const fused_call &, backend::work_function, std::byte *const *bases);

}  // namespace dpep::array
