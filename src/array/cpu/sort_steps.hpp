// The steps of sorts: work functions that a CPU queue launches.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/dtype.hpp>

#include "array/cpu/step_submission.hpp"

namespace dpep::array {

inline constexpr std::int64_t merge_piece = 16384;    // elements that a unit of a merge writes
inline constexpr std::int64_t count_chunk = 1 << 18;  // elements whose values a unit counts

/// The arguments of all steps of a sort; copied with each launch. Rows are sorted by keys: unsigned integers in the
/// elements' order, of their size, or tagged with positions. Elements of one byte without positions have no keys; their
/// values are counted.
struct sort_arguments {
  dtype type;
  bool descending;
  bool tagged;            // keys contain positions
  bool last;              // of the merges
  std::size_t key_bytes;  // 0: values are counted
  const std::byte *from;
  std::byte *values;        // null: not wanted
  std::int64_t *positions;  // null: not wanted
  std::byte *keys;          // of all rows; null: in the unit's local memory. Or the counts of chunks
  std::byte *merged;        // the result of a merge
  std::int64_t length;      // of a row
  std::int64_t run;         // elements that are sorted before merges; a multiple of merge_piece
  std::int64_t width;       // elements of the sorted sequences that are merged
  std::int64_t units_per_row;

  std::int64_t item() const noexcept { return static_cast<std::int64_t>(size_of(type)); }
};

extern const work_step sorted_rows_step, sorted_runs_step, merge_step, counts_step, counted_values_step;

/// Sorts the rows in the calling thread. Used for few elements.
void sort_rows(const sort_arguments &, std::int64_t rows, std::byte *local) noexcept;

}  // namespace dpep::array
