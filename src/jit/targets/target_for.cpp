// Selects the target for a device by its code format.
#include "jit/targets/target_for.hpp"

#include <fmt/format.h>

#include "jit/targets/nvptx/target.hpp"
#include "jit/targets/x86/target.hpp"

namespace dpep::jit {

const target &target_for(const backend::device &device) {
  if (device.code_format() == "x86-64") return x86_target();
  if (device.code_format() == "nvptx") return nvptx_target(device.code_processor());
  throw exception(
      errc::kernel_not_supported,
      fmt::format("compiling for the device '{}': its code format is '{}'; supported are 'x86-64' and 'nvptx'",
                  device.info().name, device.code_format()));
}

}  // namespace dpep::jit
