// Cancellation of work on CPUs after an interrupt (Ctrl-C).
#pragma once

namespace dpep::backend {

class event;

/// As dpep::interrupts::stop_kernels, for one event.
void stop_kernels(event &) noexcept;
/// Ends a copy or fill that is running or has not started.
void stop_copy(event &) noexcept;
/// Sets whether unfinished array operations are dropped at process exit. A later successful wait resets it.
void drop_work_at_exit(bool) noexcept;

/// Installs dpep's SIGINT handler before the interpreter's, unless it is installed.
void install_interrupt_handler() noexcept;

}  // namespace dpep::backend
