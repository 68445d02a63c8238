// Transforms of long lines, each as a matrix: the transforms of its columns, a product with roots of unity, and the
// transforms of its rows. Threads share a line, and the transforms of rows and columns stay in the caches.
#pragma once

#include <memory>

#include "array/cpu/fourier_lines.hpp"

namespace dpep::array::cpu {

/// Plans and factors for one length n = rows * columns. Element j of a line is in row j / columns.
class split_plan {
public:
  split_plan(dtype real, std::size_t rows, std::size_t columns);
  const std::size_t rows, columns;
  const std::shared_ptr<const fourier_plan> of_columns, of_rows;
  /// The factors of a block of columns, for store_columns().
  const void *factors(std::size_t block) const noexcept { return factors_.get() + block * block_bytes_; }
  std::size_t fine() const noexcept { return fine_; }
  std::size_t bytes() const noexcept { return bytes_; }

private:
  template <class R> void fill();
  const dtype real_;
  const std::size_t fine_;
  std::size_t block_bytes_ = 0, bytes_ = 0;
  std::unique_ptr<std::byte[]> factors_;
};
/// The rows of the matrix for a line of that length: the largest factor up to the square root. 1 for lengths that are
/// short or have no factors of similar size.
std::size_t split_rows(std::size_t length);
/// From a cache. Null for lengths that are short or have no factors of similar size.
std::shared_ptr<const split_plan> find_split_plan(dtype real, std::size_t length);

/// The transform of one line in steps, each of which has independent units. Real lines have pairs of numbers.
class split_transform {
public:
  enum class step : std::uint8_t {
    join_pairs,  // complex to real: reads a spectrum and makes numbers of it
    columns,
    rows,
    split_pairs,  // real to complex: makes the spectrum
  };
  split_transform(std::shared_ptr<const line_transform>, std::shared_ptr<const split_plan>);
  /// Whether the lines can be computed in this way.
  static bool supports(const line_transform &);

  std::size_t workspace_bytes() const noexcept;
  std::size_t scratch_bytes() const noexcept { return 4 * part_bytes_; }
  bool has(step) const noexcept;
  std::size_t units(step) const noexcept;
  void run(step, std::size_t line, std::size_t unit, std::byte *workspace, std::byte *scratch) const;

private:
  void transform_columns(std::size_t line, std::size_t block, std::byte *workspace, tile_pair) const;
  void transform_rows(std::size_t line, std::size_t block, std::byte *workspace, tile_pair) const;
  void combine_pairs(step, std::size_t line, std::size_t unit, std::byte *workspace, tile_pair) const;
  std::size_t column_blocks() const noexcept { return (plan_->columns + lanes_ - 1) / lanes_; }
  std::size_t row_blocks() const noexcept { return (plan_->rows + lanes_ - 1) / lanes_; }
  std::size_t matrix_bytes() const noexcept;
  /// Numbers in the workspace behind the matrix, as a line.
  blocks::fourier_lines joined(std::byte *workspace, std::int64_t *offset) const;

  const std::shared_ptr<const line_transform> lines_;
  const std::shared_ptr<const split_plan> plan_;
  const std::shared_ptr<const pair_roots> roots_;
  const std::size_t lanes_, item_;
  std::size_t part_bytes_ = 0;
};

}  // namespace dpep::array::cpu
