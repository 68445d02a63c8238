// Block kernels: operations on up to a few thousand contiguous elements in the first-level cache.
//
// They are compiled when dpep is built, for each instruction set, from the same device functions that generated kernels
// call. With them, every program runs immediately at close to full speed. A loop that is compiled later only saves the
// traffic between registers and the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/array_operations.hpp>

#include "array/base/random_function.hpp"
#include "array/blocks/block.hpp"
#include "array/blocks/distances.hpp"
#include "array/blocks/filters.hpp"
#include "array/blocks/fourier.hpp"
#include "array/blocks/searches.hpp"
#include "array/blocks/small_matrices.hpp"
#include "array/blocks/sparse.hpp"

namespace dpep::array::blocks {

/// The kernel for the signature's types and these forms of the operands; never null for a signature in the operation
/// table. The forms (vector, one) and (one, vector) exist only for inexpensive binary operations; where has_form() is
/// false, the caller must repeat the operand into a block.
element_function find(opcode, const signature &, form first = form::vector, form second = form::vector) noexcept;
bool has_form(opcode, form first, form second) noexcept;

element_function find_cast(dtype from, dtype to) noexcept;  // C's rules; float to integer as the hardware's truncation,
                                                            // bool: x != 0
/// `where` on elements of 1, 2, 4, 8 or 16 bytes. Inputs: (condition as bool, a, b).
element_function find_where(std::size_t element_bytes) noexcept;
/// Inputs: (x, low, high), all of this type.
element_function find_clip(dtype) noexcept;

/// Strided copies between memory and blocks. Strides are in bytes; elements have 1, 2, 4, 8 or 16 bytes.
copy_function find_copy(std::size_t element_bytes) noexcept;
/// Copies contiguous memory with non-temporal stores, for results larger than the caches.
void copy_nontemporal(void *to, const void *from, std::size_t bytes) noexcept;
/// to[r][c] = the element at from[r][c] + offsets[r][c]: offsets are int64 and count elements.
void gather(std::size_t element_bytes, std::size_t rows, std::size_t columns, strided to, strided offsets,
            strided from) noexcept;
/// Fills memory with one element.
void fill(void *to, const void *element, std::size_t element_bytes, std::size_t count) noexcept;
/// to[i] = start + step * (first + i), computed in the arithmetic of the dtype: integers wrap; floats are computed in
/// double precision, and complex numbers by parts.
struct ramp {
  scalar start, step;
};
void iota(void *to, dtype, const ramp &, std::uint64_t first, std::size_t count) noexcept;

/// The loop of a random function.
native_loop find_random(random_function) noexcept;

/// `input`: the dtype of the elements, after casting. Null if the reduction is not defined for it (the maximum of an
/// empty array has no identity: the CPU executor never initialises an empty one).
const reducer *find_reducer(reduction, dtype input) noexcept;

/// The accumulation kernel; the state is of the dtype (float16: float32).
scan_function find_scan(accumulation, dtype) noexcept;

struct matrix_kernel;  // matrix_block.hpp
/// Products of matrices of the dtype. Not for int8, uint8 and float16, which callers convert to int16 and float32.
const matrix_kernel &find_matrix_kernel(dtype) noexcept;

/// Sorting, by the size of keys and the dtype of elements. Elements of one byte have no keys of their size.
sort_function find_sort(std::size_t key_bytes) noexcept;
encode_function find_encode(dtype) noexcept;
decode_function find_decode(dtype) noexcept;
/// `key_bytes`: 8, only for elements of up to 32 bits, or 16.
tag_function find_tag(dtype, std::size_t key_bytes) noexcept;
position_function find_positions(std::size_t key_bytes) noexcept;
/// Completes the order of sorted keys of complex128, whose pairs of words contain a part of the number only. `numbers`
/// are those at position 0 and later. The keys' other words than positions have no meaning afterwards.
void sort_ties(std::size_t count, const void *numbers, void *keys, bool descending) noexcept;

/// The binary search among sorted elements of the dtype.
search_function find_search(dtype) noexcept;
/// The distances of a point of float32 or float64 to others.
distance_function find_distances(distance_kind, dtype) noexcept;
/// The filter of rows of the dtype.
filter_function find_filter(filter_form, dtype) noexcept;
/// Linear algebra of small matrices of float32, float64, complex64 or complex128.
const small_matrix_kernels &find_small_matrices(dtype) noexcept;
/// Operations on sparse matrices whose indices are int32 or int64.
const sparse_kernels &find_sparse(dtype index) noexcept;
/// Fourier transforms whose real numbers are float32 or float64.
const fourier_kernels &find_fourier(dtype real) noexcept;
fourier_pass_function find_fourier_pass(dtype real) noexcept;

/// The instruction set in use: "x86-64-v2", "x86-64-v3" or "x86-64-v4". DPEP_ISA selects a lower one.
const char *instruction_set() noexcept;
/// Its vector width in bytes, which determines the order of reductions.
std::size_t vector_bytes() noexcept;

}  // namespace dpep::array::blocks
