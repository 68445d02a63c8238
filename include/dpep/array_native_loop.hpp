// The type of loops over elements that are part of the library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dpep::array {

/// A loop over elements. `steps` has, for each operand, the bytes from an element to the next: the element's size, or 0
/// for one element that all use.
using native_loop = void (*)(std::size_t count, const void *const *operands, const std::int64_t *steps,
                             void *results) noexcept;

}  // namespace dpep::array
