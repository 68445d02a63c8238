// The host's memory that this process may use.
#pragma once

#include <cstdint>

namespace dpep::backend {

std::uint64_t total_memory();      // bytes: of the machine, or the cgroup's limit
std::uint64_t available_memory();  // the free part of it

}  // namespace dpep::backend
