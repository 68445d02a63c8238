// Checks of the memory ranges that commands access.
#pragma once

#include <cstddef>

namespace dpep::runtime {

/// Throws errc::invalid if [pointer, pointer + bytes) begins in freed USM memory or passes the end of its allocation.
/// Memory other than USM is not checked.
void check_range(const void *pointer, std::size_t bytes, const char *operation);
/// The bytes of a range that lie within the pointer's allocation; all of them if it is not one of ours.
std::size_t bytes_within_allocation(const void *pointer, std::size_t bytes);

}  // namespace dpep::runtime
