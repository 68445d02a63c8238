// Selects the target for a device.
#pragma once

#include "jit/targets/target.hpp"

namespace dpep::jit {

/// Returns the target for the device. Throws errc::kernel_not_supported if there is none for its code format.
const target &target_for(const backend::device &);

}  // namespace dpep::jit
