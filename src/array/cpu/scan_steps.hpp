// The steps of scans, as a CPU's queue launches them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <dpep/array_functions.hpp>

#include "backend/backend.hpp"

namespace dpep::array {

inline constexpr std::int64_t long_chunk = 32768;  // elements of a long row that one thread takes at once
inline constexpr std::int64_t lane_chunk = 256;    // elements in a lane, and how many go side by side
inline constexpr std::int64_t scan_lanes = 32;
inline constexpr std::int64_t scan_row_block = 1024;  // neighbouring columns that one thread takes down all rows
inline constexpr std::int64_t narrow_scan = 16;       // fewer columns are turned
inline constexpr std::size_t state_room = 16;         // bytes of the largest state: complex128

/// How far threads have come that take a row's chunks in turn; zero at first.
struct scan_progress {
  std::atomic<std::int64_t> taken;     // chunks, of all rows
  std::atomic<std::int32_t> known[1];  // for each chunk, whether its state says what precedes it; as many as there are

  static std::size_t bytes(std::int64_t units) {
    return sizeof(scan_progress) + static_cast<std::size_t>(units) * sizeof(std::atomic<std::int32_t>);
  }
};

/// What the steps of one scan are told; copied with each launch.
struct scan_task {
  accumulation how;
  dtype type;
  const std::byte *from;
  std::byte *to;
  std::byte *states;      // a state for each chunk
  scan_progress *chunks;  // of chunks that are scanned in order
  std::int64_t length, inner, units_per_outer, chunk, units;
  bool streams;  // results go past the caches

  std::int64_t item() const noexcept { return static_cast<std::int64_t>(size_of(type)); }
};

/// A step over units of work: rows, chunks of rows, groups of chunks, blocks of columns.
struct scan_step {
  const char *name;
  backend::work_function run;
};
enum scan_step_index { rows_step, totals_step, carries_step, chunks_step, lanes_step, rows_on_rows_step, turned_step };
extern const scan_step scan_steps[];

}  // namespace dpep::array
