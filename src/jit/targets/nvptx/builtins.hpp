// Lowers the builtins of <dpep/device_builtins.hpp> in a PTX kernel.
#pragma once

#include "jit/targets/nvptx/builtin_context.hpp"

namespace dpep::jit::nvptx_builtins {

/// Replaces all builtins in the entry. The local memory of a work-group is one block of shared memory: scratch, then
/// the kernel's declarations, then the launch's dynamic local memory. Throws errc::build.
resource_use lower(llvm::Function &entry, const specialisation &);

}  // namespace dpep::jit::nvptx_builtins
