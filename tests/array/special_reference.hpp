// References for the special functions among the operations on elements, in long double.
#pragma once

#include <optional>

#include <dpep/array_operations.hpp>

namespace blocks_test {

/// Whether operands are drawn from a small range only, where the functions are neither 0 nor infinite.
bool is_special(dpep::array::opcode);
/// The result of a special function; nothing for other operations.
std::optional<long double> special_result(dpep::array::opcode, long double x, long double y);
/// The error that is allowed, in units of the last place of float32 and float64; nothing for other operations.
std::optional<long double> special_tolerance(dpep::array::opcode);
/// Whether the reference, or the result relative to its size, is inaccurate: near roots, and where terms cancel.
bool special_skipped(dpep::array::opcode, long double x, long double y, long double expected);

}  // namespace blocks_test
