// Run-time checks in kernels, enabled by environment variables.
#pragma once

namespace dpep::jit {

/// Whether DPEP_CHECK enables checks in kernels, which are then compiled with line tables: set, and not 0 or "memory".
/// Read at each compilation.
bool checks_enabled() noexcept;

/// Whether DPEP_CHECK_SECONDS is a positive number: loops that run for longer are errors. The device reads the number
/// at run time.
bool loop_checks_enabled() noexcept;

}  // namespace dpep::jit
