// From a kernel for one work-item to a PTX kernel: the JIT's step for NVIDIA's GPUs.
#pragma once

#include "jit/compile/stages.hpp"

namespace dpep::jit {

/// The kernel's arguments become a parameter by value, and a second one has the launch's global size and offset; the
/// builtins become what the hardware has. Launches without work-groups: as many work-items as the global size, in
/// blocks of up to 256, counted linearly. The module is PTX's already. Throws errc::build.
void form_nvptx_kernel(program &, const specialisation &, compiled &);

}  // namespace dpep::jit
