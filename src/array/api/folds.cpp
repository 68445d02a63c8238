// Folds: argument checks, and rows for the executor's folds, which are along the last axis.
#include <dpep/array_folds.hpp>

#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/api/selection.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t few_elements = 4096;  // folded by the calling thread

/// Integers to negative powers are errors, which folds do not find.
bool has_signature(opcode code, dtype type) {
  const bool is_power = code == opcode::pow || code == opcode::float_power;
  return !is_power && std::ranges::any_of(info(code).signatures, [&](const signature &s) {
    return s.inputs == 2 && s.from[0] == type && s.from[1] == type && s.to == type;
  });
}

ndarray moved(const ndarray &x, int from, int to) {
  const int source[] = {from}, destination[] = {to};
  return from == to ? x : moveaxis(x, source, destination);
}

/// Folds the rows of x, whose last axis is folded, to rows of `length` elements.
ndarray fold_rows(opcode code, const ndarray &x, std::int64_t length, const ndarray *segments) {
  const ndarray rows = x.row_major() ? x : copy(x, order::row_major);
  auto &from = implementation_of(rows, "fold");
  extents_list shape = from.layout.shape;
  shape[shape.size() - 1] = length;
  const ndarray result = make_empty(from.queue, from.type, layout::contiguous(shape), from.kind);
  if (result.size() == 0) return result;
  fold_arguments f;
  f.code = code;
  f.type = from.type;
  f.from = from.first();
  f.to = implementation_of(result, "fold").first();
  f.length = from.layout.shape[shape.size() - 1];
  f.rows = from.layout.size / f.length;
  f.segments =
      segments ? reinterpret_cast<const std::int64_t *>(implementation_of(*segments, "fold").first()) : nullptr;
  f.count = length;
  const executor &by = executor_of(from.queue);
  if (from.layout.size <= few_elements && by.runs_inline() && idle(from.queue))
    by.fold_now(f);
  else
    submit(from.queue, {rows, segments ? *segments : rows, result},
           [&](const ordered_dependencies &after) { return by.fold(from.queue, f, after); });
  return result;
}

int checked(const char *name, opcode code, const ndarray &x, int axis) {
  if (!can_fold(x.get_queue(), code, x.type()))
    refuse(refusal::type, "{}: there is no fold of {} by {}", name, name_of(x.type()), info(code).name);
  return static_cast<int>(checked_axis(name, axis, x.shape().size()));
}

/// The first elements and the counts of the segments.
std::vector<std::int64_t> segments_of(const char *name, const ndarray &given, std::int64_t length) {
  const dtype_kind kind = kind_of(given.type());
  if (given.dimensions() != 1 || (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer))
    refuse(refusal::type, "{}: indices must be integers along one axis, got {} of shape {}", name,
           name_of(given.type()), text_of(given.shape()));
  const ndarray starts = astype(given, dtype::int64, casting::unsafe, order::row_major, false);
  const std::int64_t count = starts.size(), stride = sizeof(std::int64_t);
  std::vector<std::int64_t> first(static_cast<std::size_t>(count)), segments(2 * first.size());
  copy_to_host(starts, {first.data(), dtype::int64, {&count, 1}, {&stride, 1}});
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] < 0 || first[i] >= length)
      refuse(refusal::index, "{}: index {} is out of bounds for {} elements", name, first[i], length);
    const std::int64_t end = i + 1 < first.size() ? first[i + 1] : length;
    segments[2 * i] = first[i];
    segments[2 * i + 1] = std::max<std::int64_t>(end - first[i], 1);
  }
  return segments;
}

}  // namespace

bool can_fold(const queue &q, opcode code, dtype type) {
  return executor_of(q).has_folds() && has_signature(code, type);
}

ndarray fold_along(const char *name, opcode code, const ndarray &x, int axis) {
  const int at = checked(name, code, x, axis), last = x.dimensions() - 1;
  return moved(fold_rows(code, moved(x, at, last), x.shape()[static_cast<std::size_t>(at)], nullptr), last, at);
}

ndarray fold_segments(const char *name, opcode code, const ndarray &x, const ndarray &starts, int axis) {
  const int at = checked(name, code, x, axis), last = x.dimensions() - 1;
  std::vector<std::int64_t> host = segments_of(name, starts, x.shape()[static_cast<std::size_t>(at)]);
  const auto words = static_cast<std::int64_t>(host.size());
  const std::int64_t stride = sizeof(std::int64_t);
  const ndarray segments =
      from_host({host.data(), dtype::int64, {&words, 1}, {&stride, 1}}, dtype::int64, {x.get_queue(), x.memory_kind()});
  return moved(fold_rows(code, moved(x, at, last), words / 2, &segments), last, at);
}

}  // namespace dpep::array
