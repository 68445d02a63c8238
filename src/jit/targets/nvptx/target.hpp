// The NVPTX target: NVIDIA GPUs, by way of PTX and the driver's assembler.
#pragma once

#include <string_view>

#include "jit/targets/target.hpp"

namespace dpep::jit {

/// For a processor such as "sm_90".
const target &nvptx_target(std::string_view processor);

}  // namespace dpep::jit
