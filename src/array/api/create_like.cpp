// New arrays with the shape and memory order of another one.
#include <dpep/array_functions.hpp>

#include "array/api/filling.hpp"
#include "array/base/layout.hpp"
#include "array/base/scalars.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

/// Replaces `any`, `keep` and `keep_forward` by the order that they stand for. The latter two stay if the array has
/// neither order.
order resolved_order(order o, const layout &l) noexcept {
  if (o == order::any) return l.column_major && !l.row_major ? order::column_major : order::row_major;
  if (keeps_axes(o) && (l.row_major || l.column_major)) return l.row_major ? order::row_major : order::column_major;
  return o;
}

}  // namespace

ndarray empty_like(const ndarray &a, dtype type, const placement &where, order o) {
  const layout &l = implementation_of(a, "empty_like").layout;
  o = resolved_order(o, l);
  if (!keeps_axes(o)) return empty(l.shape, type, where, o);

  const layout *const operands[] = {&l};
  const ndarray made =
      make_empty(where.queue, type, layout(l.shape, kept_order_strides(l.shape, operands), 0), where.kind);
  if (o == order::keep_forward) return made;
  std::vector<int> backwards;
  for (int i = 0; i < l.dimensions(); ++i)
    if (l.strides[i] < 0 && l.shape[i] > 1) backwards.push_back(i);
  return backwards.empty() ? made : flip(made, backwards);
}

ndarray full_like(const ndarray &a, const scalar &value, dtype type, const placement &where, order o) {
  const layout &l = implementation_of(a, "full_like").layout;
  o = resolved_order(o, l);
  if (!keeps_axes(o)) return full(l.shape, value, type, where, o);
  bool backwards = false;
  for (const std::int64_t stride : l.strides) backwards |= stride < 0 && o == order::keep;
  if (!backwards && fills_later(where.queue, where.kind, l.size, type)) {
    const layout *const operands[] = {&l};
    return defer(where.queue, filled_node(converted(value, type, "full_like"), type, l.shape), where.kind,
                 kept_order_strides(l.shape, operands));
  }
  ndarray made = empty_like(a, type, where, o);
  assign(made, value);
  return made;
}

}  // namespace dpep::array
