// Single elements of arrays as bytes in host memory, for loops over elements in Python.
#pragma once

#include <optional>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Copies the element at the indices, one for each axis; negative ones count from the end. Returns false, without an
/// effect, if indices are out of bounds or the calling thread cannot read the element now: work is pending, or the
/// array is not in memory of the host.
DPEP_API bool read_element_now(const ndarray &, std::span<const std::int64_t> indices, void *to) noexcept;
/// Sets the element to one of the array's dtype. Returns false, without an effect, in the same cases, and for a
/// read-only array or one whose former elements are still needed.
DPEP_API bool write_element_now(const ndarray &, std::span<const std::int64_t> indices, const void *from) noexcept;

/// The number that an element is.
DPEP_API scalar number_in(const void *element, dtype) noexcept;
/// Writes a number as an element. Returns false, without an effect, unless the dtype has the number exactly, or rounds
/// a real one.
DPEP_API bool write_number(void *element, dtype, const scalar &) noexcept;
/// A new array without axes.
DPEP_API ndarray array_of_element(const void *element, dtype, const placement &);

/// Applies an operation to single elements of one dtype. Returns the dtype of the result, which has at most 16 bytes;
/// nothing if the operation has no signature of this dtype and is no division of integers of 32 or 64 bits.
DPEP_API std::optional<dtype> apply_to_elements(opcode, dtype, std::span<const void *const> operands,
                                                void *result) noexcept;

/// The operation that computes x ** number, for elements of the dtype, if the number is a frequent exponent, which is 4
/// to 30 times faster; else `pow`.
DPEP_API opcode power_by(dtype, const scalar &number) noexcept;

}  // namespace dpep::array
