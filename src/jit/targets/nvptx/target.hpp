// The NVPTX target: generates PTX for NVIDIA GPUs, which the CUDA driver assembles.
#pragma once

#include <string_view>

#include "jit/targets/target.hpp"

namespace dpep::jit {

/// Returns the target for a processor such as "sm_90".
const target &nvptx_target(std::string_view processor);

}  // namespace dpep::jit
