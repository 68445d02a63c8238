// Distances between all pairs of points: checks, and operands in the executor's form.
#include <dpep/array_distances.hpp>

#include "array/api/selection.hpp"
#include "array/api/terms.hpp"
#include "array/base/errors.hpp"
#include "array/base/layout.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr const char *name = "distances";

void check_points(const ndarray &x) {
  if (x.dimensions() != 2)
    refuse(refusal::value, "{}: points must have two axes, got shape {}", name, text_of(x.shape()));
  if (x.type() != dtype::float32 && x.type() != dtype::float64)
    refuse(refusal::type, "{}: expected float32 or float64, got {}", name, name_of(x.type()));
}

}  // namespace

ndarray distances(distance_kind kind, const ndarray &x, const ndarray *y, const ndarray *weights) {
  check_points(x);
  const ndarray &others = y ? *y : x;
  check_points(others);
  const queue &q = x.get_queue();
  check_same_queue(others.get_queue(), q, name);
  const std::int64_t rows = x.shape()[0], columns = others.shape()[0], components = x.shape()[1];
  if (others.shape()[1] != components || others.type() != x.type())
    refuse(refusal::value, "{}: points of {} components of {} and {} of {} do not match", name, components,
           name_of(x.type()), others.shape()[1], name_of(others.type()));
  if (weights && (weights->dimensions() != 1 || weights->size() != components))
    refuse(refusal::value, "{}: expected {} weights, got shape {}", name, components, text_of(weights->shape()));
  const placement where = placement_of(x);
  const ndarray made =
      y ? empty(std::array{rows, columns}, x.type(), where) : empty(std::array{rows * (rows - 1) / 2}, x.type(), where);
  if (made.size() == 0) return made;
  const auto in_rows = [&](const ndarray &a) { return astype(a, x.type(), casting::unsafe, order::row_major, false); };
  const ndarray first = in_rows(x), second = in_rows(matrix_transpose(others)),
                scale = weights ? in_rows(*weights) : first;
  const auto memory_of = [](const ndarray &a) { return implementation_of(a, name).first(); };
  distance_arguments d;
  d.kind = kind;
  d.type = x.type();
  d.condensed = !y;
  d.first = memory_of(first);
  d.second = memory_of(second);
  if (weights) d.weights = memory_of(scale);
  d.to = memory_of(made);
  d.rows = rows, d.columns = columns, d.components = components;
  submit(q, {first, second, scale, made},
         [&](const ordered_dependencies &after) { return executor_of(q).measure(q, d, after); });
  return made;
}

}  // namespace dpep::array
