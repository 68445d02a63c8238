// Which memory has kernels' machine code: a kernel can be left at an instruction of its own, not in a library's.
#pragma once

#include <cstddef>

namespace dpep::backend {

class event;

/// From loading to unloading; safe to ask in a signal handler.
void add_kernel_code(const void *begin, std::size_t bytes);
void remove_kernel_code(const void *begin) noexcept;
bool is_kernel_code(const void *address) noexcept;

/// As interrupts::stop_kernels, for one event.
void stop_kernels(event &) noexcept;
/// Ends a copy or fill that runs or has not begun, on CPUs.
void stop_copy(event &) noexcept;
/// What array work is left may be dropped at the end of the process; a later success takes that back.
void drop_work_at_exit(bool) noexcept;

/// SIGINT is looked out for again, where the interpreter installed its handler anew.
void listen_for_interrupts() noexcept;

}  // namespace dpep::backend
