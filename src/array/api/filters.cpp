// Filters of windows: the array is extended by the borders, so that windows at all positions have elements at the same
// distances, and the executor computes rows.
#include <dpep/array_filters.hpp>

#include "array/api/selection.hpp"
#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr const char *name = "filter";

void check(const ndarray &x, const window_filter &f) {
  const auto axes = std::size_t(x.dimensions());
  if (kind_of(x.type()) == dtype_kind::complex)
    refuse(refusal::type, "{}: expected real numbers, got {}", name, name_of(x.type()));
  if (f.window.size() != axes || f.before.size() != axes)
    refuse(refusal::value, "{}: expected a window with {} axes, got {}", name, axes, f.window.size());
  std::int64_t size = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    if (f.window[i] < 1 || f.before[i] < 0 || f.before[i] >= f.window[i])
      refuse(refusal::value, "{}: a window of length {} cannot have {} elements before the position", name, f.window[i],
             f.before[i]);
    size *= f.window[i];
  }
  const auto inside = [&](std::int64_t i) { return i >= 0 && i < size; };
  if (f.taps.empty() || !std::ranges::all_of(f.taps, inside) || !std::ranges::all_of(f.opposites, inside))
    refuse(refusal::value, "{}: expected indices in a window of {} elements", name, size);
  const std::size_t taps = f.taps.size();
  const bool has_weights = f.weights.size() == taps || (f.weights.empty() && f.kind != filter_kind::sum);
  if (!has_weights || (!f.opposites.empty() && f.opposites.size() != taps))
    refuse(refusal::value, "{}: expected {} weights, got {}", name, taps, f.weights.size());
  if (f.kind == filter_kind::rank && (f.rank < 0 || f.rank >= std::int64_t(taps)))
    refuse(refusal::value, "{}: rank {} of {} elements", name, f.rank, taps);
}

/// Indices in the window, as distances in an array of the shape from its first element.
std::vector<std::int64_t> distances_in(extents shape, const window_filter &f, std::span<const std::int64_t> indices) {
  std::vector<std::int64_t> made;
  for (std::int64_t left : indices) {
    std::int64_t distance = 0, stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
      distance += left % f.window[i] * stride;
      left /= f.window[i];
      stride *= shape[i];
    }
    made.push_back(distance);
  }
  return made;
}

/// Rows of a result in a larger array, along the last axes that are contiguous in both.
struct row_list {
  std::int64_t columns;
  ndarray starts;
};
row_list rows_in(extents larger, extents shape, const placement &where) {
  std::int64_t columns = 1, stride = 1;
  std::size_t outer = shape.size();
  while (outer > 0) {
    --outer;
    columns *= shape[outer];
    stride *= larger[outer];
    if (larger[outer] != shape[outer]) break;
  }
  term starts = full({}, scalar::of(std::int64_t{0}), dtype::int64, where);
  std::int64_t count = 1;
  for (std::size_t i = outer; i-- > 0;) {
    const ndarray along = arange(scalar::of(std::int64_t{0}), scalar::of(stride), shape[i], dtype::int64, where);
    starts = term(reshape(along, std::array{shape[i], std::int64_t{1}})) +
             reshape(starts, std::array{std::int64_t{1}, count});
    count *= shape[i];
    starts = reshape(starts, std::array{count});
    stride *= larger[i];
  }
  return {columns, reshape(starts, std::array{count})};
}

}  // namespace

ndarray filter(const ndarray &x, const window_filter &f) {
  check(x, f);
  const queue &q = x.get_queue();
  const placement where = placement_of(x);
  const bool in_reals = f.kind == filter_kind::sum || !f.weights.empty();
  const dtype type = in_reals ? default_real(q.get_device()) : x.type() == dtype::float16 ? dtype::float32 : x.type();
  const bool inside = f.edges == border::none;
  std::vector<std::int64_t> shape(x.shape().begin(), x.shape().end());
  for (std::size_t i = 0; inside && i < shape.size(); ++i)
    shape[i] = std::max<std::int64_t>(shape[i] - f.window[i] + 1, 0);
  const ndarray made = empty(shape, type, where);
  if (made.size() == 0) return made;
  std::vector<std::int64_t> after;
  for (std::size_t i = 0; i < f.window.size(); ++i) after.push_back(f.window[i] - 1 - f.before[i]);
  const ndarray extended = inside ? astype(x, type, casting::unsafe, order::row_major, false)
                                  : extend(x, f.before, after, f.edges, f.number, type);
  const row_list rows = rows_in(extended.shape(), shape, where);
  const ndarray distances = list_of(distances_in(extended.shape(), f, f.taps), where);
  const ndarray opposites =
      f.opposites.empty() ? distances : list_of(distances_in(extended.shape(), f, f.opposites), where);
  const ndarray weights = f.weights.empty() ? distances : list_of(f.weights, type, where);
  const auto memory_of = [](const ndarray &a) { return implementation_of(a, name).first(); };
  const auto numbers_of = [&](const ndarray &a) { return reinterpret_cast<const std::int64_t *>(memory_of(a)); };
  filter_arguments a;
  a.kind = f.kind;
  a.type = type;
  a.subtract = f.subtract;
  a.from = memory_of(extended);
  a.to = memory_of(made);
  a.starts = numbers_of(rows.starts);
  a.rows = rows.starts.size();
  a.columns = rows.columns;
  a.distances = numbers_of(distances);
  if (!f.opposites.empty()) a.opposites = numbers_of(opposites);
  if (!f.weights.empty()) a.weights = memory_of(weights);
  a.taps = std::int64_t(f.taps.size());
  a.rank = f.rank;
  submit(q, {extended, made, rows.starts, distances, opposites, weights},
         [&](const ordered_dependencies &after_others) { return executor_of(q).filter(q, a, after_others); });
  return made;
}

}  // namespace dpep::array
