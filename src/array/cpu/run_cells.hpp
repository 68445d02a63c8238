// Running cell code: segments of a pass, and putting the segments' states together.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// What a run of a pass works on.
struct pass_memory {
  std::byte *scratch;          // of the thread: scratch_bytes_of(pass)
  const std::byte *scalars;    // 16 bytes each
  const std::byte *ramps;      // blocks::ramp each
  std::byte *const *operands;  // the program's
  std::size_t program_operands;
  std::byte *workspace;                   // temporaries and states:
  const std::int64_t *temporary_offsets;  // of all passes' temporaries
  const std::int64_t *states_offsets;     // of this pass's outer reductions
};

std::size_t scratch_bytes_of(const lowered &) noexcept;
void run_segment(const lowered &, const pass_memory &, std::int64_t segment) noexcept;

/// Results are finished in blocks, which may be done in any order and at the same time.
std::int64_t finishing_blocks(const lowered &) noexcept;
void finish_block(const lowered &, const pass_memory &, std::int64_t block) noexcept;

}  // namespace dpep::array
