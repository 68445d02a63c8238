// Cost estimates of operations, for the choice between storing a value and computing it again.
#pragma once

#include <dpep/array_operations.hpp>
#include <dpep/array_user_function.hpp>

namespace dpep::array {

/// Nanoseconds for an element of 8 bytes of the result, on one thread, with block kernels on data in the first-level
/// cache. `operand`: the first one's type.
double nanoseconds_of(opcode, const user_function *, dtype operand) noexcept;
inline constexpr double ramp_nanoseconds = 0.2;

/// Milliseconds of CPU time that LLVM and NVIDIA's assembler take for each occurrence of the operation, on elements of
/// this type, in a kernel.
double compile_milliseconds(opcode, const user_function *, dtype operand) noexcept;

// Nanoseconds to move a byte from memory, and to memory and back.
inline constexpr double load_cost = 0.1, store_and_load_cost = 0.25;

/// Larger results, in bytes, are written with non-temporal stores: they would be evicted from the caches before they
/// are read.
inline constexpr double streamed_bytes = 12 * 1024 * 1024;

/// Of one element of a gather whose source is in the caches.
inline constexpr double gather_nanoseconds = 1;

}  // namespace dpep::array
