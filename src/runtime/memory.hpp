// What memory and queues must know of each other.
#pragma once

#include <cstddef>

namespace dpep::runtime {

/// Throws errc::invalid when [pointer, pointer + bytes) touches USM memory that is freed, or passes the end of its
/// allocation. Memory that is not USM is the program's own business.
void check_range(const void *pointer, std::size_t bytes, const char *operation);

}  // namespace dpep::runtime
