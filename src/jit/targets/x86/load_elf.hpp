// Loads a compiled kernel, a relocatable ELF object for x86-64, into memory.
//
// LLVM's ORC does this for all object formats. Measured with a kernel of 1.8 KB on a 2-core Xeon: ORC's LLJIT takes
// 0.85 ms to start, 0.25 ms for the first object and 0.06 ms for each further one; this loader takes 0.017 ms for the
// first and 0.004 ms for each further one. It supports only what this JIT generates (position-independent code, small
// code model), and does not use LLVM, so that a kernel from the disk cache is loaded without starting LLVM.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/backend.hpp"

namespace dpep::jit {

/// Code in memory, and the address of its entry point.
struct loaded_code {
  std::shared_ptr<void> memory;  // unmaps when released
  void *entry;
};

/// Loads an object. `entry`: the symbol of the entry point; `symbols`: resolve undefined symbols. Throws errc::build if
/// the object is invalid or a symbol is not defined; the message names the kernel.
loaded_code load_elf(std::span<const std::byte> object, std::string_view entry,
                     std::span<const backend::symbol> symbols, const std::string &kernel_name);

}  // namespace dpep::jit
