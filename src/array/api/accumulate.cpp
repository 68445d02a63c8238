// Accumulations: argument checks and result types, then a scan by the queue's executor.
#include <dpep/array_functions.hpp>

#include "array/api/resolve.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/base/result_types.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"
#include "array/operations/identity.hpp"

namespace dpep::array {
namespace {

struct accumulation_types {
  dtype result, computed;
};

accumulation_types types_of(accumulation how, dtype in, const std::optional<dtype> &given, const device &where,
                            const char *name) {
  if (given) check_supported(*given, where, name);
  switch (how) {
  case accumulation::sum:
  case accumulation::prod: {
    const dtype result = given.value_or(summation_type(in));
    return {result, result};
  }
  case accumulation::logsumexp: {
    const dtype natural = real_result_type(in, where, name);
    const dtype result = given.value_or(natural);
    return {result, kind_of(result) == dtype_kind::real ? result : natural};
  }
  case accumulation::max:
  case accumulation::min:
    break;
  }
  return {given.value_or(in), given.value_or(in)};
}

/// A view without the first element along the axis.
ndarray without_first(const ndarray &x, std::size_t axis) {
  auto &a = implementation_of(x, "view");
  layout l = a.layout;
  l.offset += l.strides[axis];
  --l.shape[axis];
  return make_view(a, layout(l.shape, l.strides, l.offset));
}

/// A view of the first element along the axis.
ndarray first_only(const ndarray &x, std::size_t axis) {
  auto &a = implementation_of(x, "view");
  layout l = a.layout;
  l.shape[axis] = 1;
  return make_view(a, layout(l.shape, l.strides, l.offset));
}

}  // namespace

ndarray accumulate(accumulation how, const ndarray &x, const accumulate_options &options) {
  if (options.type == dtype::boolean) {  // in bool, 1 + 1 is 1
    if (how == accumulation::sum) how = accumulation::max;
    if (how == accumulation::prod) how = accumulation::min;
  }
  const char *name = name_of(how).data();
  auto &input = implementation_of(x, name);
  if (input.layout.dimensions() == 0) {  // as an array of one element; the result has an axis only with include_initial
    const int front[] = {0};
    accumulate_options in = options;
    ndarray out;
    if (options.out && !options.include_initial) {
      check_out(implementation_of(*options.out, name), {},
                types_of(how, input.type, options.type, input.queue.get_device(), name).result, input.queue, name);
      out = expand_dims(*options.out, front);
      in.out = &out;
    }
    const ndarray result = accumulate(how, expand_dims(x, front), in);
    if (options.out) return *options.out;
    return options.include_initial ? result : squeeze(result, front);
  }
  const std::size_t axis = checked_axis(name, options.axis, input.layout.shape.size());
  const auto [type, computed] = types_of(how, input.type, options.type, input.queue.get_device(), name);
  extents_list shape = input.layout.shape;
  shape[axis] += options.include_initial;
  if (options.out) check_out(implementation_of(*options.out, name), shape, type, input.queue, name);

  const layout l = layout::contiguous(shape);
  // never directly in `out`, which may overlap the input and have any strides
  const ndarray scanned = make_empty(input.queue, computed, l, input.kind);
  auto &to = implementation_of(scanned, name);
  if (l.size > 0) {
    if (!options.include_initial && !input.pending() && input.layout.row_major && input.type == computed) {
      executor_of(to.queue).scan(how, input, to, static_cast<int>(axis));
    } else {
      if (options.include_initial) {
        assign(first_only(scanned, axis), identity(how, computed));
        if (input.layout.size > 0) store(without_first(scanned, axis), node_of(x));
      } else {
        store(scanned, node_of(x));
      }
      executor_of(to.queue).scan(how, to, to, static_cast<int>(axis));
    }
  }
  if (!options.out) return astype(scanned, type, casting::unsafe, order::keep, false);
  assign(*options.out, scanned);
  return *options.out;
}

}  // namespace dpep::array
