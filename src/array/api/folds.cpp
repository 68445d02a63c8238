// Folds: argument checks, and rows for the executor's folds, which are along the last axis.
#include <dpep/array_folds.hpp>

#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/api/selection.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/blocks/updates.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t few_elements = 16384;  // folded by the calling thread

/// Integers to negative powers are errors, which folds do not find.
bool has_signature(opcode code, dtype type) {
  const bool is_power = code == opcode::pow || code == opcode::float_power;
  return !is_power && std::ranges::any_of(info(code).signatures, [&](const signature &s) {
    return s.inputs == 2 && s.from[0] == type && s.from[1] == type && s.to == type;
  });
}

const std::int64_t *numbers_in(const ndarray &x) {
  return reinterpret_cast<const std::int64_t *>(implementation_of(x, "fold").first());
}

ndarray moved(const ndarray &x, int from, int to) {
  const int source[] = {from}, destination[] = {to};
  return from == to ? x : moveaxis(x, source, destination);
}

/// Folds an axis of x, the last one unless there are `starts` of segments, to `length` elements.
ndarray fold_rows(opcode code, const ndarray &x, std::int64_t length, const ndarray *starts, int axis) {
  const ndarray rows = x.row_major() ? x : copy(x, order::row_major);
  auto &from = implementation_of(rows, "fold");
  extents_list shape = from.layout.shape;
  const auto along = static_cast<std::size_t>(axis);
  shape[along] = length;
  const ndarray result = make_empty(from.queue, from.type, layout::contiguous(shape), from.kind);
  if (result.size() == 0) return result;
  fold_arguments f;
  f.code = code;
  f.type = from.type;
  f.from = from.first();
  f.to = implementation_of(result, "fold").first();
  f.length = from.layout.shape[along];
  for (std::size_t i = along + 1; i < shape.size(); ++i) f.inner *= shape[i];
  f.rows = from.layout.size / (f.length * f.inner);
  f.starts = starts ? numbers_in(*starts) : nullptr;
  f.count = length;
  const executor &by = executor_of(from.queue);
  if (from.layout.size <= few_elements && by.runs_inline() && idle(from.queue))
    by.fold_now(f);
  else
    submit(from.queue, {rows, starts ? *starts : rows, result},
           [&](const ordered_dependencies &after) { return by.fold(from.queue, f, after); });
  return result;
}

int checked(const char *name, opcode code, const ndarray &x, int axis) {
  if (!can_fold(x.get_queue(), code, x.type()))
    refuse(refusal::type, "{}: there is no fold of {} by {}", name, name_of(x.type()), info(code).name);
  return static_cast<int>(checked_axis(name, axis, x.shape().size()));
}

/// The first elements of the segments, as int64, row-major. Waits for them.
ndarray checked_starts(const char *name, const ndarray &given, std::int64_t length) {
  const dtype_kind kind = kind_of(given.type());
  if (given.dimensions() != 1 || (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer))
    refuse(refusal::type, "{}: indices must be integers along one axis, got {} of shape {}", name,
           name_of(given.type()), text_of(given.shape()));
  const ndarray cast = astype(given, dtype::int64, casting::unsafe, order::row_major, false);
  const ndarray starts = cast.row_major() ? cast : copy(cast, order::row_major);
  const std::int64_t *const first = numbers_in(starts);
  if (!idle(starts.get_queue())) starts.wait();
  if (starts.size() == 0) return starts;
  const auto [least, greatest] = blocks::limits_of(static_cast<std::size_t>(starts.size()), first);
  if (least < 0 || greatest >= length)
    refuse(refusal::index, "{}: index {} is out of bounds for {} elements", name, least < 0 ? least : greatest, length);
  return starts;
}

/// Whether elements along another axis than the last are folded as vectors, one after the other, rather than
/// transposed. Long sums are not, since they would round more than those of pairs.
bool is_folded_side_by_side(const ndarray &x, int axis, std::int64_t segments) {
  constexpr std::int64_t least_inner = 8, most_in_order = 1024;
  const extents shape = x.shape();
  std::int64_t inner = 1;
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) inner *= shape[i];
  const std::int64_t length = shape[static_cast<std::size_t>(axis)];
  return x.row_major() && inner >= least_inner && x.type() != dtype::float16 && segments > 0 &&
         length / segments <= most_in_order;
}

}  // namespace

bool can_fold(const queue &q, opcode code, dtype type) {
  return executor_of(q).has_folds() && has_signature(code, type);
}

ndarray fold_along(const char *name, opcode code, const ndarray &x, int axis) {
  const int at = checked(name, code, x, axis), last = x.dimensions() - 1;
  return moved(fold_rows(code, moved(x, at, last), x.shape()[static_cast<std::size_t>(at)], nullptr, last), last, at);
}

ndarray fold_segments(const char *name, opcode code, const ndarray &x, const ndarray &starts, int axis) {
  const int at = checked(name, code, x, axis), last = x.dimensions() - 1;
  const ndarray from = checked_starts(name, starts, x.shape()[static_cast<std::size_t>(at)]);
  if (is_folded_side_by_side(x, at, from.size())) return fold_rows(code, x, from.size(), &from, at);
  return moved(fold_rows(code, moved(x, at, last), from.size(), &from, last), last, at);
}

}  // namespace dpep::array
