// Index expressions with arrays: x[1:, i, ..., j].
#include "array/api/advanced_index.hpp"

#include <algorithm>
#include <array>

#include "array/base/errors.hpp"

namespace dpep::array {

namespace {

/// The parts with masks replaced by the indices of their true elements.
std::vector<index_part> without_masks(const ndarray &x, std::span<const index_part> parts) {
  const auto axes_of = [](const index_part &p) -> std::size_t {
    if (const index *const i = std::get_if<index>(&p))
      return i->what == index::kind::integer || i->what == index::kind::slice;
    const ndarray &indices = std::get<ndarray>(p);
    return indices.type() == dtype::boolean ? indices.shape().size() : 1;
  };
  const std::size_t n = x.shape().size();
  std::size_t used = 0, axis = 0;
  for (const index_part &p : parts) used += axes_of(p);
  if (used > n) refuse(refusal::index, "index: too many indices: {} for an array of {} dimension(s)", used, n);
  std::vector<index_part> all;
  for (const index_part &p : parts) {
    const ndarray *const mask = std::get_if<ndarray>(&p);
    if (const index *const i = std::get_if<index>(&p); i && i->what == index::kind::ellipsis) axis += n - used;
    if (!mask || mask->type() != dtype::boolean) {
      all.push_back(p);
      axis += axes_of(p);
      continue;
    }
    for (const std::int64_t length : mask->shape()) {
      if (length != x.shape()[axis] && length != 0)
        refuse(refusal::index, "index: the mask has length {} along axis {}, where the array has {}", length, axis,
               x.shape()[axis]);
      ++axis;
    }
    for (ndarray &indices : nonzero(*mask)) all.emplace_back(std::move(indices));
  }
  return all;
}

ndarray zeros_of(const ndarray &x, std::int64_t count) {
  return full(std::array{count}, scalar::of(std::int64_t{0}), dtype::int64, {x.get_queue(), x.memory_kind()});
}

}  // namespace

array_index parse(const ndarray &x, std::span<const index_part> given) {
  const std::vector<index_part> parts = without_masks(x, given);
  std::vector<index> basic;
  array_index found;
  std::vector<int> axes;  // of the view, for each array
  std::size_t used = 0;   // axes of x that parts index
  for (const index_part &p : parts) {
    const index *const i = std::get_if<index>(&p);
    used += !i || i->what == index::kind::integer || i->what == index::kind::slice;
  }
  const std::size_t n = x.shape().size();
  if (used > n) refuse(refusal::index, "index: too many indices: {} for an array of {} dimension(s)", used, n);

  std::size_t axis = 0;  // of x
  int made = 0;          // axes of the view so far
  int first = 0;         // the view's axis at the first part that is an array or an integer
  bool begun = false, ended = false, separated = false;
  for (const index_part &p : parts) {
    const index *const i = std::get_if<index>(&p);
    const bool is_flag = i && i->what == index::kind::flag;
    if (!i || i->what == index::kind::integer || is_flag) {
      if (!begun) first = made;
      separated |= ended;
      begun = true;
    } else {
      ended |= begun;
    }
    if (!i) {
      const ndarray &indices = std::get<ndarray>(p);
      found.indices.push_back(indices);
      axes.push_back(made++);
      basic.push_back({index::kind::slice, 0, x.shape()[axis++], 1});
      continue;
    }
    if (is_flag) {  // as an array of `count` indices of a new axis
      found.indices.push_back(zeros_of(x, i->count));
      axes.push_back(made++);
      basic.push_back({index::kind::new_axis});
      continue;
    }
    basic.push_back(*i);
    switch (i->what) {
    case index::kind::integer:
      ++axis;
      break;
    case index::kind::slice:
      ++axis, ++made;
      break;
    case index::kind::new_axis:
      ++made;
      break;
    case index::kind::flag:
      break;
    case index::kind::ellipsis:
      axis += n - used, made += static_cast<int>(n - used);
      break;
    }
  }
  found.part = view(x, basic);
  if (!separated) {
    found.axis = axes.empty() ? 0 : first;
    return found;
  }
  // the axes of the indices come first if other parts are between them
  std::vector<int> order = axes;
  for (int a = 0; a < found.part.dimensions(); ++a)
    if (std::ranges::find(axes, a) == axes.end()) order.push_back(a);
  found.part = permute(found.part, order);
  return found;
}

ndarray get_items(const ndarray &x, std::span<const index_part> parts) {
  const array_index i = parse(x, parts);
  return i.indices.empty() ? i.part : take_elements(i.part, i.indices, i.axis);
}

void set_items(const ndarray &x, std::span<const index_part> parts, const ndarray &values) {
  const array_index i = parse(x, parts);
  if (i.indices.empty()) return assign(i.part, values);
  put_elements(i.part, i.indices, i.axis, values);
}

}  // namespace dpep::array
