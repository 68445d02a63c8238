// Shapes and strides: sizes, contiguity, bounds, and the memory order of results.
#include "array/base/layout.hpp"

#include <cstdlib>
#include <limits>

#include "array/base/errors.hpp"

namespace dpep::array {
namespace {

/// Whether the elements are contiguous, by NumPy's rule: axes of length 1 may have any stride.
bool contiguous_from(const extents_list &shape, const extents_list &strides, bool from_last) noexcept {
  const std::size_t n = shape.size();
  std::int64_t expected = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t axis = from_last ? n - 1 - i : i;
    if (shape[axis] == 1) continue;
    if (strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

std::int64_t count_of(std::span<const std::int64_t> shape) {
  // byte offsets are signed 64-bit numbers, and elements have at most 16 bytes
  constexpr std::int64_t max_elements = std::numeric_limits<std::int64_t>::max() / 16;
  if (shape.size() > std::size_t{max_dimensions})
    refuse(refusal::value, "shape: expected at most {} dimensions, got {}", max_dimensions, shape.size());
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t length : shape) {
    if (length < 0) refuse(refusal::value, "shape: {} has a negative length", text_of(shape));
    empty |= length == 0;
    if (length != 0 && count > max_elements / length)
      refuse(refusal::value, "shape: {} has more elements than memory has addresses", text_of(shape));
    count *= std::max<std::int64_t>(length, 1);
  }
  return empty ? 0 : count;
}

}  // namespace

layout::layout(extents_list shape_, extents_list strides_, std::int64_t offset)
    : shape(std::move(shape_)), strides(std::move(strides_)), offset(offset) {
  for (const std::int64_t length : shape) size *= length;
  row_major = size == 0 || contiguous_from(shape, strides, true);
  column_major = size == 0 || contiguous_from(shape, strides, false);
}

layout layout::contiguous(std::span<const std::int64_t> shape, order o) {
  layout result;
  result.size = count_of(shape);
  const std::size_t n = shape.size();
  result.shape = extents_list(shape);
  result.strides = extents_list(n);
  const bool columns_first = o == order::column_major;
  std::int64_t stride = 1;
  std::size_t long_axes = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t axis = columns_first ? i : n - 1 - i;
    result.strides[axis] = stride;
    stride *= std::max<std::int64_t>(shape[axis], 1);
    long_axes += shape[axis] > 1;
  }
  const bool both = result.size == 0 || long_axes <= 1;
  result.row_major = both || !columns_first;
  result.column_major = both || columns_first;
  return result;
}

std::pair<std::int64_t, std::int64_t> layout::bounds() const noexcept {
  std::int64_t first = offset, last = offset;
  for (std::size_t i = 0; i < shape.size(); ++i) (strides[i] < 0 ? first : last) += strides[i] * (shape[i] - 1);
  return {first, last};
}

std::string text_of(std::span<const std::int64_t> shape) {
  if (shape.size() == 1) return fmt::format("({},)", shape[0]);
  return fmt::format("({})", fmt::join(shape, ", "));
}

extents_list kept_order_strides(std::span<const std::int64_t> shape, std::span<const layout *const> operands) {
  const int n = static_cast<int>(shape.size());
  bool rows = true, columns = true;
  for (const layout *o : operands) {
    const bool whole = std::ranges::equal(o->shape, shape);
    rows &= o->row_major && (whole || o->dimensions() == 0);
    columns &= o->column_major && (whole || o->dimensions() == 0);
  }
  if (rows || columns || n < 2)
    return layout::contiguous(shape, rows || !columns ? order::row_major : order::column_major).strides;

  // 0 if the operand does not vary along the axis: it does not constrain the order then
  const auto stride_along = [&](const layout &o, int axis) {
    const int own = axis - (n - o.dimensions());
    return own < 0 || o.shape[own] == 1 ? 0 : std::abs(o.strides[own]);
  };
  // Whether axis b belongs inside axis a, by the operands that vary along both. If they disagree, row-major order.
  const auto swapped = [&](int a, int b) -> std::optional<bool> {
    std::optional<bool> result;
    for (const layout *o : operands) {
      const std::int64_t sa = stride_along(*o, a), sb = stride_along(*o, b);
      if (sa == 0 || sb == 0) continue;
      if (sb >= sa) return false;
      result = true;
    }
    return result;
  };
  // Insertion sort from the innermost axis: the relation is not a total order, so the position of an axis is decided by
  // the nearest axis that can be compared with it.
  std::array<int, max_dimensions> inner_first;
  for (int i = 0; i < n; ++i) {
    const int axis = n - 1 - i;
    int position = i;
    for (int k = i - 1; k >= 0; --k) {
      const auto inside = swapped(inner_first[k], axis);
      if (inside == std::nullopt) continue;
      if (!*inside) break;
      position = k;
    }
    std::move_backward(inner_first.begin() + position, inner_first.begin() + i, inner_first.begin() + i + 1);
    inner_first[position] = axis;
  }
  extents_list strides(n);
  std::int64_t stride = 1;
  for (int i = 0; i < n; ++i) {
    strides[inner_first[i]] = stride;
    stride *= std::max<std::int64_t>(shape[inner_first[i]], 1);
  }
  return strides;
}

}  // namespace dpep::array
