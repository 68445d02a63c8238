// The lines along an axis of an array.
#include "array/gpu/fourier_lines.hpp"

namespace dpep::array::gpu {

fourier_lines row_major_lines(std::int64_t outer, std::int64_t length, std::int64_t inner) noexcept {
  fourier_lines lines;
  lines.outer = outer;
  lines.inner = inner;
  lines.step = inner;
  const auto add = [&](std::int64_t count, std::int64_t stride) {
    if (count == 1) return;
    lines.lengths[lines.axes] = count;
    lines.strides[lines.axes] = stride;
    ++lines.axes;
  };
  add(outer, length * inner);
  add(inner, 1);
  return lines;
}

std::optional<fourier_lines> lines_of(const ndarray &x, int axis) {
  fourier_lines lines;
  lines.step = x.strides()[std::size_t(axis)];
  for (int a = 0; a < x.dimensions(); ++a) {
    const std::int64_t length = x.shape()[std::size_t(a)], stride = x.strides()[std::size_t(a)];
    if (a == axis || length == 1) continue;
    (a < axis ? lines.outer : lines.inner) *= length;
    if (lines.axes > 0 && lines.strides[lines.axes - 1] == stride * length) {
      lines.lengths[lines.axes - 1] *= length;
      lines.strides[lines.axes - 1] = stride;
      continue;
    }
    if (lines.axes == fourier_lines::max_axes) return std::nullopt;
    lines.lengths[lines.axes] = length;
    lines.strides[lines.axes] = stride;
    ++lines.axes;
  }
  return lines;
}

}  // namespace dpep::array::gpu
