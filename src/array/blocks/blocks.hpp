// Block kernels: an operation on up to a few thousand neighbouring elements in the first-level cache.
//
// They are compiled when dpep is built, for each instruction set, from the same device functions that kernels made at
// run time call. With them every program runs at once at close to full speed: there is nothing to compile before a
// first call, and a kernel that is compiled later only saves the traffic between registers and the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/array_operations.hpp>

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

/// For the signature's types and these forms of its operands; never null for a signature in the operation table. The
/// forms (vector, vector), (vector, one), (one, vector) exist for cheap binary operations; for others the result of
/// `has_form` is false and a block must be filled with the operand first.
element_function find(opcode, const signature &, form first = form::vector, form second = form::vector) noexcept;
bool has_form(opcode, form first, form second) noexcept;

element_function find_cast(dtype from, dtype to) noexcept;  // C's rules; float to integer as the hardware's truncation,
                                                            // bool: x != 0
/// `where` on elements of 1, 2, 4, 8 or 16 bytes: inputs (condition as bool, a, b).
element_function find_where(std::size_t element_bytes) noexcept;
/// (x, low, high) of one type.
element_function find_clip(dtype) noexcept;

/// Strided copies between memory and blocks; strides in bytes, element sizes 1, 2, 4, 8, 16.
copy_function find_copy(std::size_t element_bytes) noexcept;
/// One contiguous block to memory past the caches (non-temporal), for results larger than the caches.
void stream(void *to, const void *from, std::size_t bytes) noexcept;
/// One element, repeated.
void fill(void *to, const void *element, std::size_t element_bytes, std::size_t count) noexcept;
/// to[i] = start + i * step in the dtype's arithmetic (integers wrap; floats: computed in double, and complex by
/// parts).
struct ramp {
  scalar start, step;
};
void iota(void *to, dtype, const ramp &, std::uint64_t first, std::size_t count) noexcept;

/// `input`: the dtype that is reduced (after casting to it); null for what the reduction has not got (max of nothing
/// has no identity: the machine never starts an empty one).
const reducer *find_reducer(reduction, dtype input) noexcept;

scan_function find_scan(accumulation, dtype) noexcept;

/// The instruction set in use: "x86-64-v2", "x86-64-v3", "x86-64-v4"; DPEP_ISA forces a lower one.
const char *instruction_set() noexcept;
/// The width of its vectors in bytes, by which reductions of blocks are cut.
std::size_t vector_bytes() noexcept;

}  // namespace dpep::array::blocks
