// Which build of dpep this is: machine code that another build cached may differ.
#pragma once

#include <string>

namespace dpep::jit {

/// The linker's build id of the binary that this code is in, with dpep's and LLVM's versions.
const std::string &build_identity();

}  // namespace dpep::jit
