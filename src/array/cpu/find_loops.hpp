// Finds the sequences of element calls in cell code that compiled loops can replace.
#pragma once

#include <span>
#include <vector>

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// Fills `code.loop_calls`. `levels`: the loop level of each call. All calls of a compiled loop are of one level, so
/// that they are always executed together. `found`: loops that were found before, in order; the
/// other calls are searched.
void find_loops(cell_code &code, std::span<const int> levels, std::vector<loop_call> found);

/// The compiled loop for one call of a user's function, repeated by `walks`.
loop_call user_function_loop(const call &, std::span<const walk> walks);

/// Calls the loop of a library's function for all its elements.
void call_native_loop(const loop_call &, native_loop, std::byte *const *bases);
/// Calls the compiled function for all its elements.
void call_compiled_loop(const loop_call &, backend::work_function, std::byte *const *bases);

}  // namespace dpep::array
