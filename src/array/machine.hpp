// The machine: runs programs on a queue.
//
// On devices that run host code (CPUs) a program first runs with block kernels, at once; when the same structure is met
// often enough, a fused kernel is compiled in the background and takes over when it is ready. Other devices compile
// first.
#pragma once

#include "array/program.hpp"

namespace dpep::array {

/// Submits the program; short ones have run when it returns. `owners` are kept alive until it is complete.
event run(const queue &, program, program_arguments, dependencies, std::vector<std::shared_ptr<void>> owners = {});

}  // namespace dpep::array
