// Source locations from debug locations.
#include "jit/spmd/source_location.hpp"

#include <llvm/IR/DebugInfoMetadata.h>

namespace dpep::jit::spmd {

std::string source_location_of(const llvm::DebugLoc &location) {
  const llvm::DILocation *user = nullptr;
  for (const llvm::DILocation *at = location.get(); at; at = at->getInlinedAt()) {
    user = at;
    if (!at->getFilename().contains("include/sycl/")) break;
  }
  return user ? user->getFilename().str() + ":" + std::to_string(user->getLine()) : std::string();
}

}  // namespace dpep::jit::spmd
