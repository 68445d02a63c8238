// How messages name a launched kernel, whatever the device.
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace dpep::backend {

/// "kernel 'name'", and where it was launched if anybody knows: ", launched at file:line,".
std::string kernel_text(const code &, source_line);

}  // namespace dpep::backend
