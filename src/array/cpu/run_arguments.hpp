// The arguments of a launched program, as bytes that the queue copies, and the functions that it calls with them.
#pragma once

#include "array/cpu/prepared_program.hpp"

namespace dpep::array {

/// At the beginning of the arguments; then come the operands' addresses, the scalars' bytes, 16 each, and the ramps.
struct run_header {
  const prepared_program *program;
  std::byte *workspace;
  std::uint32_t stage;
  std::uint32_t scalars_offset, ramps_offset;  // from the beginning
};

backend::work_function entry_of(prepared_program::stage::kind) noexcept;

}  // namespace dpep::array
