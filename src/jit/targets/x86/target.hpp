// The x86-64 target.
#pragma once

#include "jit/targets/target.hpp"

namespace dpep::jit {

/// Returns the target for the CPU that this process runs on, restricted to the level in DPEP_ISA if set.
const target &x86_target();

/// Returns the target restricted to a level ("x86-64-v2", …). Ignores a level that the CPU does not support, and
/// unknown names: cpu() is the level's name only if the target is restricted to it.
std::unique_ptr<target> x86_target_of(std::string_view level);

}  // namespace dpep::jit
