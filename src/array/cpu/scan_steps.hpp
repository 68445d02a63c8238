// The steps of scans: work functions that a CPU queue launches.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <dpep/array_functions.hpp>

#include "array/cpu/step_submission.hpp"

namespace dpep::array {

inline constexpr std::int64_t long_chunk = 32768;  // elements of a long row in a chunk
// elements of a chunk that is one lane of a vector, and the number of lanes
inline constexpr std::int64_t lane_chunk = 256;
inline constexpr std::int64_t scan_lanes = 32;
inline constexpr std::int64_t scan_row_block = 1024;          // adjacent columns that one thread scans over all rows
inline constexpr std::int64_t min_untransposed_columns = 16;  // with fewer columns, blocks are transposed
inline constexpr std::size_t max_state_bytes = 16;            // bytes of the largest state: complex128

/// Progress of threads that process the chunks of rows in order. Initially zero.
struct scan_progress {
  std::atomic<std::int64_t> taken;  // chunks that threads have taken, of all rows
  // for each chunk: whether its state holds the accumulation of all elements before it. Variable length
  std::atomic<std::int32_t> is_known[1];

  static std::size_t bytes(std::int64_t units) {
    return sizeof(scan_progress) + static_cast<std::size_t>(units) * sizeof(std::atomic<std::int32_t>);
  }
};

/// The arguments of all steps of a scan; copied with each launch.
struct scan_arguments {
  accumulation how;
  dtype type;
  const std::byte *from;
  std::byte *to;
  std::byte *states;      // a state for each chunk
  scan_progress *chunks;  // for chunks that are scanned in order
  std::int64_t length, inner, units_per_outer, chunk, units;
  bool nontemporal;  // results are stored with non-temporal stores

  std::int64_t item() const noexcept { return static_cast<std::int64_t>(size_of(type)); }
};

/// The steps, whose units are rows, chunks of rows, groups of chunks, or blocks of columns.
enum scan_step_index {
  rows_step,
  totals_step,
  carries_step,
  chunks_step,
  interleaved_step,
  add_rows_step,
  transposed_step
};
extern const work_step scan_steps[];

}  // namespace dpep::array
