// What a compilation makes, as text.
#pragma once

#include <string>

#include "jit/launch/compiler.hpp"

namespace dpep::jit {

/// Assembly, or what a GPU's driver assembles. Compiles, whatever is on disk.
std::string assembly_of(const source &, const specialisation &, backend::device &);

}  // namespace dpep::jit
