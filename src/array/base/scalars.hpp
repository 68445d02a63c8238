// Numbers and elements: what a number is as a dtype, and the bytes of one element.
#pragma once

#include <dpep/array.hpp>

namespace dpep::array {

/// The number with its kind made the dtype's. refusal::overflow for an integer (or the whole part of a real number)
/// that the dtype cannot hold, refusal::value for NaN, and refusal::type for complex numbers that would lose a part.
scalar converted(const scalar &, dtype, const char *operation);
/// The bytes of one element. The scalar's kind may be any; what does not fit wraps or becomes infinite, as C casts do.
void write_element(void *to, dtype, const scalar &) noexcept;
scalar read_element(const void *from, dtype) noexcept;

/// A whole number of any of the integer dtypes, for range checks.
bool fits(const scalar &, dtype) noexcept;
/// "300", "2.5", "(1+2j)".
std::string text_of(const scalar &);

}  // namespace dpep::array
