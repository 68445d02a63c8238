// Descriptions of launched kernels in messages, the same for all devices.
#include "backend/common/kernel_description.hpp"

#include <fmt/format.h>

namespace dpep::backend {

std::string describe_kernel(const code &kernel, source_line where) {
  const std::string at = where.line ? fmt::format(", launched at {}:{},", where.file, where.line) : "";
  return fmt::format("kernel '{}'{}", kernel.name, at);
}

}  // namespace dpep::backend
