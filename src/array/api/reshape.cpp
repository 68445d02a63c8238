// reshape: strides for the same elements in another shape, or a copy if there are none.
#include <dpep/array_functions.hpp>

#include <algorithm>

#include "array/api/small_copies.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

extents_list reversed(std::span<const std::int64_t> list) {
  extents_list result(list);
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

// Splits the old axes (without those of length 1) and the new ones into groups of equal products, from the first axis.
// A group's old axes must be equivalent to one long axis, which the new axes then divide.
std::optional<std::vector<std::int64_t>> row_major_strides(std::span<const std::int64_t> old_shape,
                                                           std::span<const std::int64_t> old_strides,
                                                           std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> lengths, steps;
  for (std::size_t i = 0; i < old_shape.size(); ++i) {
    if (old_shape[i] == 1) continue;
    lengths.push_back(old_shape[i]);
    steps.push_back(old_strides[i]);
  }
  std::vector<std::int64_t> strides(shape.size());
  std::size_t from = 0, to = 0;
  while (to < shape.size()) {
    std::size_t old_end = from, new_end = to;
    std::int64_t old_count = 1, new_count = shape[new_end++];
    while (old_count != new_count) {
      if (old_count < new_count)
        old_count *= lengths[old_end++];
      else
        new_count *= shape[new_end++];
    }
    while (new_end < shape.size() && shape[new_end] == 1) ++new_end;
    for (std::size_t i = from; i + 1 < old_end; ++i)
      if (steps[i] != steps[i + 1] * lengths[i + 1]) return std::nullopt;
    std::int64_t stride = old_end > from ? steps[old_end - 1] : 1;
    for (std::size_t i = new_end; i-- > to;) {
      strides[i] = stride;
      stride *= shape[i];
    }
    from = old_end, to = new_end;
  }
  return strides;
}

namespace {

/// The shape with the length in place of -1.
extents_list completed(extents shape, std::int64_t size) {
  extents_list result(shape);
  std::int64_t known = 1, *open = nullptr;
  for (std::int64_t &length : result) {
    if (length < -1 || (length == -1 && open))
      refuse(refusal::value, "reshape: one length may be -1, the others must not be negative, got {}", text_of(shape));
    if (length == -1)
      open = &length;
    else if (__builtin_mul_overflow(known, length, &known))
      known = 0;  // no array has as many elements
  }
  if (known == 0 || size % known != 0)
    refuse(refusal::value, "reshape: no length in place of -1 gives shape {} the array's {} elements", text_of(shape),
           size);
  *open = size / known;
  return result;
}

}  // namespace

std::optional<std::vector<std::int64_t>> reshaped_strides(const ndarray &x, extents given, order o) {
  const layout &l = implementation_of(x, "reshape").layout;
  const extents_list shape = std::ranges::count(given, -1) ? completed(given, l.size) : extents_list(given);
  const layout wanted = layout::contiguous(shape, o);
  if (wanted.size != l.size)
    refuse(refusal::value, "reshape: shape {} has {} elements, but shape {} has {}", text_of(l.shape), l.size,
           text_of(shape), wanted.size);
  const bool columns = o == order::column_major;
  if (l.size == 0 || (columns ? l.column_major : l.row_major))
    return std::vector<std::int64_t>(wanted.strides.begin(), wanted.strides.end());
  if (!columns) return row_major_strides(l.shape, l.strides, shape);
  // column-major order is row-major order with reversed axes
  auto strides = row_major_strides(reversed(l.shape), reversed(l.strides), reversed(shape));
  if (strides) std::ranges::reverse(*strides);
  return strides;
}

ndarray reshape(const ndarray &x, extents shape, order o, std::optional<bool> copy) {
  auto &a = implementation_of(x, "reshape");
  if (std::ranges::any_of(shape, [](std::int64_t length) { return length < 0; }))
    return reshape(x, completed(shape, a.layout.size), o, copy);
  if (o == order::any || keeps_axes(o))
    o = a.layout.column_major && !a.layout.row_major ? order::column_major : order::row_major;
  if (copy != true && std::ranges::equal(shape, a.layout.shape)) return x;
  if (copy != true) {
    if (const auto strides = reshaped_strides(x, shape, o))
      return make_view(a, layout(shape, std::span<const std::int64_t>(*strides), a.layout.offset));
    if (copy == false)
      refuse(refusal::value,
             "reshape: shape {} with strides {} cannot become shape {} without a copy, and copy=False was given",
             text_of(a.layout.shape), text_of(a.layout.strides), text_of(shape));
  }
  layout wanted = layout::contiguous(shape, o);
  if (wanted.size != a.layout.size)
    refuse(refusal::value, "reshape: shape {} has {} elements, but shape {} has {}", text_of(a.layout.shape),
           a.layout.size, text_of(shape), wanted.size);
  const ndarray to = make_empty(a.queue, a.type, layout::contiguous(a.layout.shape, o), a.kind);
  store_values(to, x);
  return make_view(implementation_of(to, "reshape"), std::move(wanted));
}

}  // namespace dpep::array
