// The transform of lines of an array: what is read, computed and written.
#pragma once

#include <memory>

#include "array/cpu/fourier_plan.hpp"
#include "array/fourier_work.hpp"

namespace dpep::array::cpu {

/// An operand's lines. Distances are counted in real numbers.
struct line_layout {
  std::byte *first = nullptr;
  std::int64_t step = 1, part = 0;         // between positions; between real and imaginary part
  std::size_t re_count = 0, im_count = 0;  // positions that have these parts
  std::vector<std::int64_t> strides;       // of the batch's axes
};

/// The transforms of all lines along an axis.
class line_transform {
public:
  explicit line_transform(const fourier_work &);

  fourier_kind what() const noexcept { return what_; }
  dtype real() const noexcept { return real_; }
  std::size_t lines() const noexcept { return lines_; }
  /// The complex numbers that are transformed: of real lines of even length, pairs of real ones.
  std::size_t numbers() const noexcept { return numbers_; }
  bool is_backward() const noexcept {
    return what_ == fourier_kind::backward || what_ == fourier_kind::complex_to_real;
  }
  bool has_pairs() const noexcept { return is_real() && length_ % 2 == 0; }
  double factor() const noexcept { return factor_; }
  /// Whether adjacent lines are adjacent in memory, in both operands or at least one of them.
  bool is_strided() const noexcept { return from_.step > 2 || to_.step > 2; }

  /// Chooses tiles. Before the following functions.
  void prepare();
  std::size_t units() const noexcept { return (lines_ + plan_->lanes() - 1) / plan_->lanes(); }
  std::size_t scratch_bytes() const noexcept { return 4 * part_bytes_; }
  /// Transforms a tile of lines. `scratch` is aligned to 64 bytes.
  void run(std::size_t unit, std::byte *scratch) const;

  /// Lines from `first` on, as kernels take them.
  blocks::fourier_lines source(std::size_t first, std::size_t count, std::int64_t *offsets) const;
  blocks::fourier_lines target(std::size_t first, std::size_t count, std::int64_t *offsets) const;

private:
  bool is_real() const noexcept {
    return what_ == fourier_kind::real_to_complex || what_ == fourier_kind::complex_to_real;
  }
  void describe(const fourier_work &);
  blocks::fourier_lines lines_of(const line_layout &, std::size_t first, std::size_t count,
                                 std::int64_t *offsets) const;
  void transform_numbers(tile_pair &) const;
  void prefetch_tile(std::size_t first) const;

  const fourier_kind what_;
  const dtype real_;
  const std::size_t length_, numbers_;
  const double factor_;
  std::size_t lines_ = 1, part_bytes_ = 0;
  std::vector<std::int64_t> lengths_;  // of the batch's axes
  line_layout from_, to_;
  std::shared_ptr<const fourier_plan> plan_;
  std::shared_ptr<const pair_roots> roots_;  // of pairs
};

}  // namespace dpep::array::cpu
