// The executor of CPUs.
//
// A program is simplified (fusion/simplify.hpp), cut into passes (fusion/passes.hpp), scheduled (scheduler.hpp,
// placement.hpp) and converted to calls of block kernels (pass_builder.hpp), once for its structure and sizes
// (prepared_program.hpp, program_code.hpp). It is then executed immediately, without compilation. When a program is
// executed again, sequences of its calls are compiled in the background (find_loops.hpp, compiled_loop.hpp); the
// compiled loops are used once they are ready.
#pragma once

#include "array/executor.hpp"

namespace dpep::array::cpu {

/// The only instance.
const executor &the_executor() noexcept;

}  // namespace dpep::array::cpu
