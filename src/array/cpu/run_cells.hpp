// Executes cell code: segments of a pass, and merging the states of segments.
#pragma once

#include "array/cpu/cell_code.hpp"

namespace dpep::array {

/// The memory that a pass is executed on.
struct pass_memory {
  std::byte *scratch;          // of the thread; scratch_bytes_of(pass) bytes
  const std::byte *scalars;    // 16 bytes each
  const std::byte *ramps;      // blocks::ramp each
  std::byte *const *operands;  // the program's
  std::size_t program_operands;
  std::byte *workspace;                   // holds temporaries and states
  const std::int64_t *temporary_offsets;  // of all passes' temporaries
  const std::int64_t *states_offsets;     // of this pass's outer reductions
};

std::size_t scratch_bytes_of(const pass_code &) noexcept;
void run_segment(const pass_code &, const pass_memory &, std::int64_t segment) noexcept;

/// Merges states into results, in blocks that may be executed in any order and concurrently.
std::int64_t finishing_blocks(const pass_code &) noexcept;
void finish_block(const pass_code &, const pass_memory &, std::int64_t block) noexcept;

}  // namespace dpep::array
