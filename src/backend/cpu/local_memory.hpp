// Local memory of work-groups: one block for each thread, reused by all launches.
#pragma once

#include <cstddef>

namespace dpep::backend::cpu {

/// Returns at least `bytes`, aligned to 64, valid until the thread's next call; null if there is no memory.
std::byte *local_memory(std::size_t bytes) noexcept;

}  // namespace dpep::backend::cpu
