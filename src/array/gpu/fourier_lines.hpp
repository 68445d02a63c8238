// The lines along an axis of an array, as Fourier transforms address them.
#pragma once

#include <array>
#include <optional>

#include <dpep/array.hpp>

namespace dpep::array::gpu {

/// Distances are in elements.
struct fourier_lines {
  static constexpr std::size_t max_axes = 3;
  std::int64_t outer = 1, inner = 1;  // the product of the axes before, and after the transform's axis
  std::int64_t step = 1;              // between elements of a line
  std::size_t axes = 0;               // of lines, adjacent ones joined where their strides allow that
  std::array<std::int64_t, max_axes> lengths{1, 1, 1}, strides{};

  std::int64_t count() const noexcept { return outer * inner; }
};
/// The lines of a row-major array.
fourier_lines row_major_lines(std::int64_t outer, std::int64_t length, std::int64_t inner) noexcept;
/// Nothing if the lines need more axes.
std::optional<fourier_lines> lines_of(const ndarray &, int axis);

}  // namespace dpep::array::gpu
