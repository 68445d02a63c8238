// The executor of CPUs.
//
// A program is simplified (fusion/simplify.hpp), cut into passes (fusion/passes.hpp), scheduled (schedule.hpp,
// placement.hpp) and lowered to calls of block kernels (cell_code.hpp), once for its structure and sizes
// (prepared_program.hpp). So it runs at once, without compilation. When a program is run again, sequences of its calls
// are compiled in the background (find_loops.hpp, compiled_loop.hpp), and their compiled form is used once it is ready.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

const executor &the_executor() noexcept;

}  // namespace dpep::array::cpu
