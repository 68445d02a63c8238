// Identifies this build of dpep, since machine code in the cache from another build may differ.
#pragma once

#include <string>

namespace dpep::jit {

/// Returns the linker's build id of the binary that contains this code, and the versions of dpep and LLVM.
const std::string &build_identity();

}  // namespace dpep::jit
