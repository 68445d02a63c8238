// Plans for long lines, which are transformed as matrices: the transforms of the columns, products with roots of unity,
// and the transforms of the rows. Threads share a line, and rows and columns stay in the caches.
#pragma once

#include <memory>

#include "array/cpu/fourier_plan.hpp"

namespace dpep::array::cpu {

/// The transform of n = rows * columns numbers. Number j of a line is in row j / columns of the matrix.
class split_plan {
public:
  split_plan(dtype real, std::size_t rows, std::size_t columns);
  std::size_t length() const noexcept { return rows_ * columns_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Memory for the matrix between the steps, and for a unit of a step.
  std::size_t matrix_bytes() const noexcept;
  std::size_t scratch_bytes() const noexcept { return 4 * part_bytes_; }

  // The steps, whose units are independent. `exchange`: for the backward transform, with which real and imaginary parts
  // are exchanged before the first step and after the second one.
  std::size_t column_units() const noexcept { return (columns_ + lanes_ - 1) / lanes_; }
  std::size_t row_units() const noexcept { return (rows_ + lanes_ - 1) / lanes_; }
  /// Reads the line. Numbers that do not exist are zeros.
  void transform_columns(const blocks::fourier_lines &line, bool exchange, std::size_t unit, std::byte *matrix,
                         std::byte *scratch) const;
  /// Writes factor * the transform, as many numbers as the line has.
  void transform_rows(const blocks::fourier_lines &line, bool exchange, double factor, std::size_t unit,
                      const std::byte *matrix, std::byte *scratch) const;

private:
  template <class R> void fill_factors();
  const dtype real_;
  const std::size_t rows_, columns_, lanes_, item_;
  const std::shared_ptr<const fourier_plan> of_columns_, of_rows_;
  /// Roots for store_columns(): those of a block of columns are contiguous.
  const std::size_t fine_;
  std::size_t block_bytes_ = 0, bytes_ = 0, part_bytes_ = 0;
  std::unique_ptr<std::byte[]> factors_;
};

/// Tables for a line of any length, which is computed as a convolution of a longer line (Bluestein's algorithm).
class convolution_plan {
public:
  convolution_plan(dtype real, std::size_t length);
  std::size_t length() const noexcept { return length_; }
  std::size_t bytes() const noexcept { return bytes_; }
  const split_plan &longer() const noexcept { return *longer_; }
  /// Numbers as the kernel multiply() takes them: exp(-pi i k^2 / length), and the transform of their conjugates.
  const std::byte *chirp() const noexcept { return chirp_.get(); }
  std::size_t chirp_row() const noexcept { return chirp_row_; }
  const std::byte *spectrum() const noexcept { return spectrum_.get(); }
  std::size_t spectrum_row() const noexcept { return spectrum_row_; }

private:
  template <class R> void fill();
  const std::size_t length_;
  const std::shared_ptr<const split_plan> longer_;
  const std::size_t chirp_row_, spectrum_row_;
  std::size_t bytes_ = 0;
  std::unique_ptr<std::byte[]> chirp_, spectrum_;
};

/// The number of rows: the largest factor up to the square root. 1 for lengths without factors of similar size.
std::size_t split_rows(std::size_t length);

// From a cache. Null for lengths that are short, or that have no such plan.
std::shared_ptr<const split_plan> find_split_plan(dtype real, std::size_t length);
std::shared_ptr<const convolution_plan> find_convolution_plan(dtype real, std::size_t length);

}  // namespace dpep::array::cpu
