// The x86-64 target: the CPU that this process runs on.
#pragma once

#include "jit/targets/target.hpp"

namespace dpep::jit {

const target &x86_target();

}  // namespace dpep::jit
