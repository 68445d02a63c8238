// Arrays with elements added around them.
#include <dpep/array_filters.hpp>
#include <dpep/array_indexing.hpp>

#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"

namespace dpep::array {
namespace {

/// A view of some elements along one axis.
ndarray part_of(const ndarray &x, int axis, std::int64_t start, std::int64_t count, std::int64_t step = 1) {
  std::vector<index> which;
  for (int i = 0; i <= axis; ++i) which.push_back({index::kind::slice, 0, x.shape()[std::size_t(i)], 1});
  which.back() = {index::kind::slice, start, count, step};
  return view(x, which);
}

/// The index in [0, n) of the element that stands at index i, which may be beyond.
std::int64_t source_of(std::int64_t i, std::int64_t n, border how) noexcept {
  const auto modulo = [](std::int64_t k, std::int64_t period) { return (k % period + period) % period; };
  switch (how) {
  case border::reflect: {
    const std::int64_t k = modulo(i, 2 * n);
    return k < n ? k : 2 * n - 1 - k;
  }
  case border::mirror: {
    const std::int64_t k = n > 1 ? modulo(i, 2 * n - 2) : 0;
    return k < n ? k : 2 * n - 2 - k;
  }
  case border::wrap:
    return modulo(i, n);
  case border::nearest:
  case border::constant:
  case border::none:
    break;
  }
  return std::clamp<std::int64_t>(i, 0, n - 1);
}

/// The elements at the indices: a view if their differences are all 1, all -1 or all 0.
ndarray elements_at(const ndarray &x, int axis, const std::vector<std::int64_t> &indices) {
  const auto count = std::int64_t(indices.size());
  const std::int64_t first = indices.front(), step = count > 1 ? indices[1] - first : 1;
  bool even = step >= -1 && step <= 1;
  for (std::size_t i = 1; i < indices.size(); ++i) even = even && indices[i] - indices[i - 1] == step;
  if (even) return step ? part_of(x, axis, first, count, step) : part_of(x, axis, first, 1);
  return take(x, list_of(indices, placement_of(x)), axis, index_mode::clip);
}

}  // namespace

ndarray extend(const ndarray &x, extents before, extents after, border how, double number, dtype type) {
  const int axes = x.dimensions();
  if (std::ssize(before) != axes || std::ssize(after) != axes)
    refuse(refusal::value, "extend: expected {} lengths, got {} and {}", axes, before.size(), after.size());
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::int64_t n = x.shape()[i];
    if (before[i] < 0 || after[i] < 0)
      refuse(refusal::value, "extend: lengths must not be negative, got {} and {}", before[i], after[i]);
    if (n == 0 && before[i] + after[i] > 0 && how != border::constant)
      refuse(refusal::value, "extend: axis {} of shape {} has no elements to repeat", i, text_of(x.shape()));
    shape.push_back(before[i] + n + after[i]);
  }
  const ndarray made = empty(shape, type, placement_of(x));
  // The elements that are there before an axis is extended: earlier axes are complete.
  ndarray inner = made;
  for (int axis = 0; axis < axes; ++axis)
    inner = part_of(inner, axis, before[std::size_t(axis)], x.shape()[std::size_t(axis)]);
  assign(inner, cast(x, type));
  for (int axis = 0; axis < axes; ++axis) {
    const std::int64_t left = before[std::size_t(axis)], right = after[std::size_t(axis)],
                       n = x.shape()[std::size_t(axis)];
    if (left + right == 0) continue;
    ndarray lines = made;  // whole along this axis and earlier ones
    for (int later = axis + 1; later < axes; ++later)
      lines = part_of(lines, later, before[std::size_t(later)], x.shape()[std::size_t(later)]);
    const ndarray known = part_of(lines, axis, left, n);
    const auto fill = [&](std::int64_t start, std::int64_t count) {  // from an index on, as of `known`
      if (count == 0) return;
      const ndarray to = part_of(lines, axis, left + start, count);
      if (how == border::constant) {
        assign(to, cast(full({}, scalar::of(number), default_real(x.get_queue().get_device()), placement_of(x)), type));
        return;
      }
      std::vector<std::int64_t> sources;
      for (std::int64_t i = start; i < start + count; ++i) sources.push_back(source_of(i, n, how));
      assign(to, elements_at(known, axis, sources));
    };
    fill(-left, left);
    fill(n, right);
  }
  return made;
}

}  // namespace dpep::array
