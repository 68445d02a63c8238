// Memory from the operating system: large blocks use huge pages, and allocations stay within the process's limit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/backend.hpp"

namespace dpep::backend::cpu {

/// Allocates pages; returns null if the machine or the process's cgroup has not enough memory. `alignment` is a power
/// of two.
void *allocate_pages(std::size_t bytes, std::size_t alignment, block_use) noexcept;
void free_pages(void *, std::size_t bytes) noexcept;

}  // namespace dpep::backend::cpu
