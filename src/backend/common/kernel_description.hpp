// Descriptions of launched kernels in messages, the same for all devices.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace dpep::backend {

/// "kernel 'name'", followed by ", launched at file:line," if the source line is known.
std::string describe_kernel(const code &, source_line);

}  // namespace dpep::backend
