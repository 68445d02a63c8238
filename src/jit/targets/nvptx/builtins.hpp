// The builtins of <dpep/device_builtins.hpp> in the hardware's terms.
#pragma once

#include <cstddef>

#include "jit/launch/compiler.hpp"

namespace llvm {
class Function;
}

namespace dpep::jit::nvptx_builtins {

/// What a kernel gets beside its arguments: backend/cuda/commands.hpp gives these words of 64 bits.
constexpr unsigned launch_words = 8, failure_place_word = 7;

struct needs {
  std::size_t static_local_bytes = 0, scratch_bytes = 0;  // of a work-group
  bool has_barriers = false;
};

/// Replaces all builtins in the entry, whose second argument is the launch: global sizes, then offsets. Local memory of
/// a work-group is one block: what is declared in the kernel, then scratch, then the launch's dynamic part. Throws
/// errc::build.
needs lower(llvm::Function &entry, const specialisation &);

}  // namespace dpep::jit::nvptx_builtins
