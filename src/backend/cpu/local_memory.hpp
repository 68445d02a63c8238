// Work-group local memory: one block in each thread, reused from launch to launch.
#pragma once

#include <cstddef>

namespace dpep::backend::cpu {

/// At least `bytes`, aligned to 64, valid until this thread asks again; null when there is no memory.
std::byte *local_memory(std::size_t bytes) noexcept;

}  // namespace dpep::backend::cpu
