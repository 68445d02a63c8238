// How much memory the host has for this process; all back ends ask.
#pragma once

#include <cstdint>

namespace dpep::backend {

std::uint64_t total_memory();      // of the machine or the cgroup
std::uint64_t available_memory();  // the same, free now

}  // namespace dpep::backend
