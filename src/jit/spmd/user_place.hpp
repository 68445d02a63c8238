// Where in the user's source something is, for errors.
#pragma once

#include <string>

namespace llvm {
class DebugLoc;
}

namespace dpep::jit::spmd {

/// "file:line": where the user's code calls what our headers do there. Empty if unknown.
std::string place_of(const llvm::DebugLoc &);

}  // namespace dpep::jit::spmd
