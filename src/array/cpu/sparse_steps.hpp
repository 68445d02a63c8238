// The parallel loops of operations on sparse matrices: their arguments and units of work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "array/sparse_work.hpp"

namespace dpep::array::cpu {

/// The arguments of the steps; copied with each launch. Addresses are those of the members of sparse_work with the same
/// name, null for empty ones.
struct sparse_arguments {
  dtype type{}, index = dtype::int32;  // of elements, of indices
  bool intersection = false, maximum = false, only_stored = false;
  std::int64_t rows = 0, columns = 0, width = 1;
  std::int64_t first = 0, last = 0;
  std::int64_t count = 0;  // elements of a; take_rows: rows of the result
  std::int64_t units = 1;  // into which the rows of a, or its elements, are divided
  const std::byte *starts = nullptr, *indices = nullptr, *values = nullptr;
  const std::byte *other_starts = nullptr, *other_indices = nullptr, *other_values = nullptr, *x = nullptr;
  std::byte *to_starts = nullptr, *to_indices = nullptr, *to_values = nullptr, *to_others = nullptr;
  std::int64_t *counts = nullptr;
  std::byte *partial = nullptr;  // multiply_transposed: results of the units; group: counts of the units, as indices
};

using sparse_step = void (*)(const sparse_arguments &, std::size_t begin, std::size_t end);

/// The step of an operation that is one loop over rows of a. Not for multiply_transposed and group.
sparse_step row_step(sparse_operation) noexcept;

// multiply_transposed, in units of rows: partial results, and blocks of the result as the sums of these.
void multiply_parts(const sparse_arguments &, std::size_t begin, std::size_t end);
void add_parts(const sparse_arguments &, std::size_t begin, std::size_t end);
inline constexpr std::int64_t added_block = 8192;  // elements of the result in a unit of add_parts

// group, in units of elements: the counts of rows of each unit; in one unit, their sums before each unit and each row;
// the elements at their positions.
void count_keys(const sparse_arguments &, std::size_t begin, std::size_t end);
void sum_keys(const sparse_arguments &, std::size_t begin, std::size_t end);
void move_elements(const sparse_arguments &, std::size_t begin, std::size_t end);

}  // namespace dpep::array::cpu
