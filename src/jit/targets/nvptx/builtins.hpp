// Lowers the builtins of <dpep/device_builtins.hpp> in a PTX kernel.
#pragma once

#include <cstddef>

#include "backend/abi.hpp"
#include "jit/launch/compiler.hpp"

namespace llvm {
class Function;
}

namespace dpep::jit::nvptx_builtins {

/// The entry's second parameter, abi::launch_parameters, as 64-bit words.
constexpr unsigned word_bytes = sizeof(std::uint64_t),
                   launch_words = sizeof(backend::abi::launch_parameters) / word_bytes,
                   items_per_thread_word = offsetof(backend::abi::launch_parameters, items_per_thread) / word_bytes,
                   failure_place_word = offsetof(backend::abi::launch_parameters, failures) / word_bytes;

/// Local memory and barriers that a kernel uses.
struct resource_use {
  std::size_t static_local_bytes = 0, scratch_bytes = 0;  // per work-group
  bool has_barriers = false;
};

/// Replaces all builtins in the entry. The local memory of a work-group is one block of shared memory: scratch, then
/// the kernel's declarations, then the launch's dynamic local memory. Throws errc::build.
resource_use lower(llvm::Function &entry, const specialisation &);

}  // namespace dpep::jit::nvptx_builtins
