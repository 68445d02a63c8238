// What memory and queues must know of each other.
#pragma once

#include <cstddef>

namespace dpep::runtime {

/// Whether the calling thread is running a host task, which must not wait for its own queue.
bool in_host_task() noexcept;

/// Throws errc::invalid when [pointer, pointer + bytes) touches USM memory that is freed, or passes the end of its
/// allocation. Memory that is not USM is the program's own business.
void check_range(const void *pointer, std::size_t bytes, const char *operation);

}  // namespace dpep::runtime
