// Reading debug locations.
#include "jit/spmd/user_place.hpp"

#include <llvm/IR/DebugInfoMetadata.h>

namespace dpep::jit::spmd {

std::string place_of(const llvm::DebugLoc &where) {
  const llvm::DILocation *user = nullptr;
  for (const llvm::DILocation *at = where.get(); at; at = at->getInlinedAt()) {
    user = at;
    if (!at->getFilename().contains("include/sycl/")) break;
  }
  return user ? user->getFilename().str() + ":" + std::to_string(user->getLine()) : std::string();
}

}  // namespace dpep::jit::spmd
