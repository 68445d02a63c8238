// How messages name a launched kernel, whatever the device.
#include "backend/common/kernel_text.hpp"

#include <fmt/format.h>

namespace dpep::backend {

std::string kernel_text(const code &kernel, source_line where) {
  const std::string at = where.line ? fmt::format(", launched at {}:{},", where.file, where.line) : "";
  return fmt::format("kernel '{}'{}", kernel.name, at);
}

}  // namespace dpep::backend
