// What operations cost, roughly: for deciding what to compute again and what to store.
#pragma once

#include <dpep/array_operations.hpp>

namespace dpep::array {

/// Nanoseconds an element of 8 bytes, on one thread, with block kernels in the first-level cache.
double nanoseconds_of(opcode) noexcept;

/// Milliseconds of a core that LLVM and NVIDIA's assembler take for the operation on elements of this type, each time
/// that it is in a kernel's code.
double compile_milliseconds(opcode, dtype operand) noexcept;

// Nanoseconds a byte, from and to memory.
inline constexpr double load_cost = 0.1, store_and_load_cost = 0.25;

/// Results beyond this many bytes are written past the caches: nothing of them would still be there when it is read.
inline constexpr double streamed_bytes = 12 * 1024 * 1024;

}  // namespace dpep::array
