// The address ranges of kernels' machine code: a kernel may be interrupted at an instruction of its own, but not in a
// library function that it calls.
#pragma once

#include <cstddef>

namespace dpep::backend {

/// Registers code from loading to unloading.
void add_kernel_code(const void *begin, std::size_t bytes);
void remove_kernel_code(const void *begin) noexcept;
/// Whether the address is in registered code. Async-signal-safe.
bool is_kernel_code(const void *address) noexcept;

}  // namespace dpep::backend
