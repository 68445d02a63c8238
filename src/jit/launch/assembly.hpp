// Assembly text of a kernel specialisation.
#pragma once

#include <string>

#include "jit/launch/compiler.hpp"

namespace dpep::jit {

/// Returns the assembly, on GPUs the PTX. Always compiles: the disk cache keeps no text.
std::string assembly_of(const source &, const specialisation &, backend::device &);

}  // namespace dpep::jit
