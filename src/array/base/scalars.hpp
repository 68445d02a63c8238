// Conversion of scalars to dtypes, and reading and writing of single elements.
#pragma once

#include <dpep/array.hpp>

namespace dpep::array {

/// Returns the number as a scalar of the dtype's kind. For integer dtypes, throws refusal::overflow if the dtype cannot
/// hold the integer (or the integer part of a real number), and refusal::value for NaN. Throws refusal::type for
/// complex numbers that would lose their imaginary part.
scalar converted(const scalar &, dtype, const char *operation);
/// Writes one element. The scalar may be of any kind. Values that do not fit wrap around or become infinite, as in C
/// casts.
void write_element(void *to, dtype, const scalar &) noexcept;
scalar read_element(const void *from, dtype) noexcept;

/// Whether the dtype can hold the integer. True for dtypes that are not integers.
bool fits(const scalar &, dtype) noexcept;
/// The number as Python writes it: "300", "2.5", "(1+2j)".
std::string text_of(const scalar &);

}  // namespace dpep::array
