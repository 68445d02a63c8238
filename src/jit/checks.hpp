// Kernels that look out for their users' mistakes, when the environment asks for it.
#pragma once

namespace dpep::jit {

/// DPEP_CHECK=1: kernels are compiled with checks and line tables. Asked at each compilation.
bool checks_wanted() noexcept;

}  // namespace dpep::jit
