// Loads a compiled kernel: a relocatable ELF object for x86-64 becomes code in memory.
//
// LLVM's ORC does this too, for any object of any format. Measured with a kernel of 1.8 KB on a 2-core Xeon: its LLJIT
// takes 0.85 ms to start, 0.25 ms for the first object and 0.06 ms for each further one; this loader 0.017 and 0.004
// ms. Ours only takes what our own code generator emits (position-independent, small code model), and knows nothing of
// LLVM, so that a hit in the cache never starts it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/backend.hpp"

namespace dpep::jit {

struct loaded_code {
  std::shared_ptr<void> memory;  // unmaps when released
  void *entry;
};

/// `entry` is a defined symbol. Undefined ones come from `symbols`; throws errc::build naming the kernel and what is
/// missing or not understood.
loaded_code load_elf(std::span<const std::byte> object, std::string_view entry,
                     std::span<const backend::symbol> symbols, const std::string &kernel_name);

}  // namespace dpep::jit
