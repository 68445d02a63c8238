// Kernels that look out for their users' mistakes, when the environment asks for it.
#pragma once

namespace dpep::jit {

/// DPEP_CHECK=1, or anything else but memory alone: kernels are compiled with checks and line tables. Asked at each
/// compilation.
bool checks_wanted() noexcept;

/// DPEP_CHECK_SECONDS, a positive number: loops that run for longer are errors. How long, the device asks as it runs.
bool loop_checks_wanted() noexcept;

}  // namespace dpep::jit
