// The x86-64 target: the CPU that this process runs on.
#pragma once

#include "jit/targets/target.hpp"

namespace dpep::jit {

const target &x86_target();

/// As if the CPU were of a level ("x86-64-v2", …). What it has not got, and anything else, is ignored: compare cpu().
std::unique_ptr<target> x86_target_of(std::string_view level);

}  // namespace dpep::jit
