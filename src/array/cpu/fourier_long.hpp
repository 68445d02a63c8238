// The transform of long lines in steps, each of which threads share.
#pragma once

#include <memory>
#include <vector>

#include "array/cpu/fourier_lines.hpp"
#include "array/cpu/fourier_split.hpp"

namespace dpep::array::cpu {

class long_transform {
public:
  /// Null if the lines are short, or computed otherwise.
  static std::shared_ptr<const long_transform> make(std::shared_ptr<const line_transform>);

  std::size_t steps() const noexcept { return steps_.size(); }
  std::size_t workspace_bytes() const noexcept;
  std::size_t scratch_bytes() const noexcept;
  std::size_t units(std::size_t step) const noexcept;
  void run(std::size_t step, std::size_t line, std::size_t unit, std::byte *workspace, std::byte *scratch) const;

private:
  enum class place : std::uint8_t { source, target, buffer };
  enum class action : std::uint8_t {
    join_pairs,   // buffer = numbers whose transform is pairs of real ones, from the spectrum in the source
    split_pairs,  // target = the spectrum of real numbers, from the transform of their pairs in the target
    mirror,       // buffer = the source, followed by the conjugates of its numbers
    multiply,     // to = factor * from * numbers
    columns,
    rows,
  };
  struct step {
    action what{};
    place from{}, to{};
    bool exchange_before = false, exchange_after = false;  // real and imaginary parts, for backward transforms
    double factor = 1;
    const std::byte *numbers = nullptr;
    std::size_t row = 0, count = 0;  // of `numbers`; written numbers
  };

  explicit long_transform(std::shared_ptr<const line_transform>);
  bool find_plan();
  void plan_steps();
  blocks::fourier_lines line_at(place, std::size_t line, std::byte *workspace, std::int64_t *offset) const;
  const split_plan &matrix_plan() const noexcept { return convolution_ ? convolution_->longer() : *split_; }
  void combine_pairs(const step &, std::size_t line, std::size_t unit, std::byte *workspace, tile_pair) const;
  void mirror(const step &, std::size_t line, std::size_t unit, std::byte *workspace, tile_pair) const;
  void multiply(const step &, std::size_t line, std::size_t unit, std::byte *workspace, tile_pair) const;

  const std::shared_ptr<const line_transform> lines_;
  const std::size_t item_;
  std::shared_ptr<const split_plan> split_;
  std::shared_ptr<const convolution_plan> convolution_;
  std::shared_ptr<const pair_roots> roots_;
  std::size_t part_bytes_ = 0, buffer_numbers_ = 0;
  std::vector<step> steps_;
};

}  // namespace dpep::array::cpu
