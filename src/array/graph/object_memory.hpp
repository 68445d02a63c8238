// The allocation of arrays, storages and nodes.
#pragma once

#include <cstddef>

namespace dpep::array {

/// Allocates a short-lived object from free lists of the calling thread. Arrays of few elements are created and
/// destroyed so often that malloc would dominate.
void *allocate_object(std::size_t bytes);
void free_object(void *, std::size_t bytes) noexcept;

}  // namespace dpep::array
