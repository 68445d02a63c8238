// Views of arrays: indexing, permutation, broadcasting, and other changes of shape and strides.
#include <dpep/array_functions.hpp>

#include <algorithm>
#include <array>
#include <bitset>

#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

/// Shape and strides of a view, axis by axis.
struct view_axes {
  std::array<std::int64_t, max_dimensions> shape, strides;
  std::size_t count = 0;
  void push(std::int64_t length, std::int64_t stride) {
    if (count == std::size_t{max_dimensions})
      refuse(refusal::index, "index: the result has more than {} dimensions", max_dimensions);
    shape[count] = length, strides[count++] = stride;
  }
  layout finish(std::int64_t offset) const {
    return {std::span(shape.data(), count), std::span(strides.data(), count), offset};
  }
};

}  // namespace

std::size_t checked_axis(const char *operation, std::int64_t axis, std::size_t dimensions) {
  const auto n = static_cast<std::int64_t>(dimensions);
  if (axis < -n || axis >= n)
    refuse(refusal::axis, "{}: axis {} is out of bounds for an array of {} dimension{}", operation, axis, n,
           n == 1 ? "" : "s");
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

axis_list checked_axes(const char *operation, std::span<const int> axes, std::size_t dimensions) {
  std::bitset<max_dimensions> seen;
  axis_list list;
  for (const int given : axes) {
    const std::size_t axis = checked_axis(operation, given, dimensions);
    if (seen[axis]) refuse(refusal::value, "{}: axis {} is named twice", operation, axis);
    seen.set(axis);
    list.push(static_cast<int>(axis));
  }
  return list;
}

ndarray view(const ndarray &x, std::span<const index> parts) {
  auto &a = implementation_of(x, "index");
  const layout &from = a.layout;
  const std::size_t n = from.shape.size();
  std::size_t used = 0, ellipses = 0;
  for (const index &part : parts) {
    used += part.what == index::kind::integer || part.what == index::kind::slice;
    ellipses += part.what == index::kind::ellipsis;
  }
  if (used > n) refuse(refusal::index, "index: {} indices for an array of {} dimension(s)", used, n);
  if (ellipses > 1) refuse(refusal::index, "index: expected at most one ellipsis ('...'), got {}", ellipses);

  view_axes to;
  std::int64_t offset = from.offset;
  std::size_t axis = 0;
  const auto take_whole = [&](std::size_t count) {
    for (; count > 0; --count, ++axis) to.push(from.shape[axis], from.strides[axis]);
  };
  for (const index &part : parts) {
    switch (part.what) {
    case index::kind::integer: {
      const std::int64_t length = from.shape[axis];
      const std::int64_t i = part.start < 0 ? part.start + length : part.start;
      if (i < 0 || i >= length)
        refuse(refusal::index, "index {} is out of bounds for axis {} with size {}", part.start, axis, length);
      offset += i * from.strides[axis++];
      break;
    }
    case index::kind::slice: {
      const std::int64_t length = from.shape[axis];
      const std::int64_t last = part.start + (part.count - 1) * part.step;
      if (part.count < 0 || (part.count > 0 && (part.start < 0 || part.start >= length || last < 0 || last >= length)))
        refuse(refusal::index, "index: a slice of {} elements from {} in steps of {} exceeds axis {} with size {}",
               part.count, part.start, part.step, axis, length);
      if (part.count > 0) offset += part.start * from.strides[axis];
      to.push(part.count, from.strides[axis++] * part.step);
      break;
    }
    case index::kind::new_axis:
      to.push(1, 0);
      break;
    case index::kind::flag:
      to.push(part.count, 0);
      break;
    case index::kind::ellipsis:
      take_whole(n - used);
      break;
    }
  }
  take_whole(n - axis);
  return make_view(a, to.finish(offset));
}

ndarray permute(const ndarray &x, std::span<const int> axes) {
  auto &a = implementation_of(x, "permute_dims");
  const std::size_t n = a.layout.shape.size();
  // As in dpctl, each axis is checked before the number of axes.
  for (const int axis : axes) checked_axis("permute_dims", axis, n);
  if (axes.size() != n)
    refuse(refusal::value, "permute_dims: {} axes for an array of {} dimension(s); expected each axis once",
           axes.size(), n);
  view_axes to;
  for (const int axis : checked_axes("permute_dims", axes, n)) to.push(a.layout.shape[axis], a.layout.strides[axis]);
  return make_view(a, to.finish(a.layout.offset));
}

layout broadcast_layout(const char *operation, const layout &from, extents shape) {
  const std::size_t n = shape.size(), own = from.shape.size();
  const auto refused = [&] {
    refuse(refusal::value, "{}: shape {} cannot be broadcast to {}", operation, text_of(from.shape), text_of(shape));
  };
  if (own > n) refused();
  view_axes to;
  for (std::size_t i = 0; i < n; ++i) {
    if (i + own < n) {
      to.push(shape[i], 0);
      continue;
    }
    const std::size_t axis = i - (n - own);
    if (from.shape[axis] != shape[i] && from.shape[axis] != 1) refused();
    to.push(shape[i], from.shape[axis] == shape[i] ? from.strides[axis] : 0);
  }
  return to.finish(from.offset);
}

ndarray broadcast_to(const ndarray &x, extents shape) {
  auto &a = implementation_of(x, "broadcast_to");
  static_cast<void>(layout::contiguous(shape));  // throws for an invalid shape
  return make_view(a, broadcast_layout("broadcast_to", a.layout, shape));
}

std::vector<ndarray> broadcast_arrays(std::span<const ndarray> arrays) {
  if (arrays.empty()) refuse(refusal::value, "broadcast_arrays: expected at least one array, got none");
  std::vector<extents> shapes;
  for (const ndarray &a : arrays) shapes.push_back(a.shape());
  const std::vector<std::int64_t> shape = broadcast_shapes(shapes);
  std::vector<ndarray> result;
  for (const ndarray &a : arrays) result.push_back(std::ranges::equal(a.shape(), shape) ? a : broadcast_to(a, shape));
  return result;
}

ndarray expand_dims(const ndarray &x, std::span<const int> axes) {
  auto &a = implementation_of(x, "expand_dims");
  const std::size_t n = a.layout.shape.size() + axes.size();
  if (n > std::size_t{max_dimensions})
    refuse(refusal::value, "expand_dims: expected a result of at most {} dimensions, got {}", max_dimensions, n);
  std::bitset<max_dimensions> inserted;
  for (const int axis : checked_axes("expand_dims", axes, n)) inserted.set(static_cast<std::size_t>(axis));
  view_axes to;
  for (std::size_t i = 0, axis = 0; i < n; ++i) {
    if (inserted[i]) {
      to.push(1, 0);
    } else {
      to.push(a.layout.shape[axis], a.layout.strides[axis]);
      ++axis;
    }
  }
  return make_view(a, to.finish(a.layout.offset));
}

ndarray squeeze(const ndarray &x, std::optional<std::span<const int>> axes) {
  auto &a = implementation_of(x, "squeeze");
  const std::size_t n = a.layout.shape.size();
  std::bitset<max_dimensions> dropped;
  if (!axes)
    for (std::size_t axis = 0; axis < n; ++axis) dropped[axis] = a.layout.shape[axis] == 1;
  else if (const axis_list given = checked_axes("squeeze", *axes, std::max<std::size_t>(n, 1)); n > 0)
    for (const int axis : given) {
      if (a.layout.shape[axis] != 1)
        refuse(refusal::value, "squeeze: expected length 1 along axis {}, got length {} in shape {}", axis,
               a.layout.shape[axis], text_of(a.layout.shape));
      dropped.set(static_cast<std::size_t>(axis));
    }
  if (dropped.none()) return x;
  view_axes to;
  for (std::size_t axis = 0; axis < n; ++axis)
    if (!dropped[axis]) to.push(a.layout.shape[axis], a.layout.strides[axis]);
  return make_view(a, to.finish(a.layout.offset));
}

ndarray flip(const ndarray &x, std::optional<std::span<const int>> axes) {
  auto &a = implementation_of(x, "flip");
  layout to = a.layout;
  const auto turn = [&](std::size_t axis) {
    if (to.size > 0) to.offset += to.strides[axis] * (to.shape[axis] - 1);
    to.strides[axis] = -to.strides[axis];
  };
  if (axes)
    for (const int axis : checked_axes("flip", *axes, to.shape.size())) turn(static_cast<std::size_t>(axis));
  else
    for (std::size_t axis = 0; axis < to.shape.size(); ++axis) turn(axis);
  return make_view(a, layout(to.shape, to.strides, to.offset));
}

namespace {

/// A view of the real (0) or imaginary (1) parts.
ndarray complex_part(const ndarray &x, const char *operation, int which) {
  auto &a = implementation_of(x, operation);
  layout to = a.layout;
  for (std::int64_t &stride : to.strides) stride *= 2;
  return make_view(a, real_of(a.type), layout(to.shape, to.strides, to.offset * 2 + which));
}

}  // namespace

ndarray real_part(const ndarray &x) {
  implementation_of(x, "real");
  return kind_of(x.type()) == dtype_kind::complex ? complex_part(x, "real", 0) : x;
}

ndarray imaginary_part(const ndarray &x) {
  implementation_of(x, "imag");
  if (kind_of(x.type()) == dtype_kind::complex) return complex_part(x, "imag", 1);
  return full(x.shape(), scalar::of(false), x.type(), {x.get_queue(), x.memory_kind()});
}

}  // namespace dpep::array
