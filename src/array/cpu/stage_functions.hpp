// The work functions of stages, which the queue calls, and the arguments of a launch as bytes, which the queue copies.
#pragma once

#include "array/cpu/prepared_program.hpp"

namespace dpep::array {

/// The beginning of the arguments. The operands' addresses follow, then the scalars, 16 bytes each, then the ramps.
struct run_header {
  const prepared_program *program;
  std::byte *workspace;
  std::uint32_t stage;
  std::uint32_t scalars_offset, ramps_offset;  // from the beginning
};

/// The work function of a kind of stage.
backend::work_function entry_of(prepared_program::stage::kind) noexcept;

}  // namespace dpep::array
