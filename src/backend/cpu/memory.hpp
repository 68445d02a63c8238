// Memory from the system: large blocks on huge pages, within what the process may use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dpep::backend::cpu {

/// Null when the system, or the limit of the process's cgroup, has no room for it. `alignment` is a power of two.
void *allocate_pages(std::size_t bytes, std::size_t alignment) noexcept;
void free_pages(void *, std::size_t bytes) noexcept;

}  // namespace dpep::backend::cpu
