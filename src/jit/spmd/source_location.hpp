// Source locations for error messages.
#pragma once

#include <string>

namespace llvm {
class DebugLoc;
}

namespace dpep::jit::spmd {

/// Returns "file:line", empty if unknown. For code inlined from our own headers, it is the location of the user's call.
std::string source_location_of(const llvm::DebugLoc &);

}  // namespace dpep::jit::spmd
