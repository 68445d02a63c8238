// Reductions: argument checks, result types, and statistics composed of sums.
#include <dpep/array_functions.hpp>

#include <cmath>
#include <limits>

#include <dpep/array_opcodes.hpp>

#include "array/api/resolve.hpp"
#include "array/api/small_reductions.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/base/result_types.hpp"
#include "array/base/scalars.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {

dtype summation_type(dtype t) noexcept {
  switch (kind_of(t)) {
  case dtype_kind::boolean:
  case dtype_kind::signed_integer:
    return dtype::int64;
  case dtype_kind::unsigned_integer:
    return dtype::uint64;
  default:
    return t;
  }
}

dtype real_result_type(dtype t, const device &where, const char *operation) {
  if (kind_of(t) == dtype_kind::complex)
    refuse(refusal::value, "{}: expected real numbers, got {}", operation, name_of(t));
  return kind_of(t) == dtype_kind::real ? t : default_real(where);
}

namespace {

/// A reduction with checked arguments.
struct request {
  const char *name;
  reduction how;
  const array_object &input;
  std::vector<int> axes;  // sorted
  bool keep;
  std::int64_t count;  // elements for each result
  dtype result;
  dtype computed;  // of the accumulation; wide() for sums
};

bool floating(dtype t) noexcept { return kind_of(t) == dtype_kind::real || kind_of(t) == dtype_kind::complex; }

/// The dtype of sums: float32 for float16, in which they would overflow at 65504.
dtype wide(dtype t) noexcept { return t == dtype::float16 ? dtype::float32 : t; }

void choose_types(request &r, const std::optional<dtype> &given) {
  const dtype in = r.input.type;
  const device &where = r.input.queue.get_device();
  if (given) check_supported(*given, where, r.name);
  switch (r.how) {
  case reduction::sum:
  case reduction::prod:
    r.result = r.computed = given.value_or(summation_type(in));
    break;
  case reduction::max:
  case reduction::min:
    r.result = r.computed = given.value_or(in);
    break;
  case reduction::argmax:
  case reduction::argmin:
  case reduction::count_nonzero:
    r.result = given.value_or(dtype::int64);
    r.computed = dtype::int64;
    break;
  case reduction::any:
  case reduction::all:
    r.result = r.computed = dtype::boolean;
    break;
  case reduction::logsumexp:
  case reduction::hypot: {
    const dtype natural = real_result_type(in, where, r.name);
    r.result = given.value_or(natural);
    r.computed = wide(kind_of(r.result) == dtype_kind::real ? r.result : natural);
    break;
  }
  case reduction::mean:
    r.result = given.value_or(floating(in) ? in : default_real(where));
    r.computed = floating(r.result) ? r.result : default_real(where);
    break;
  case reduction::variance:
  case reduction::deviation:
    r.result = given ? real_of(*given) : floating(in) ? real_of(in) : default_real(where);
    r.computed = kind_of(r.result) == dtype_kind::real ? r.result : default_real(where);
    break;
  }
}

ref<node> unary(opcode code, ref<node> x, dtype to) {
  const signature s{1, {x->type}, to};
  return element_node(code, s, {&x, 1});
}

ref<node> binary(opcode code, ref<node> a, ref<node> b, dtype to) {
  const ref<node> inputs[] = {std::move(a), std::move(b)};
  return element_node(code, {2, {inputs[0]->type, inputs[1]->type}, to}, inputs);
}

/// The sum over the axes; for no axes, the elements themselves.
ref<node> sum(const request &r, ref<node> x, bool keep) {
  return r.axes.empty() ? x : reduce_node(reduction::sum, x->type, x, r.axes, keep);
}

ref<node> divided(ref<node> x, double by) {
  const dtype type = x->type;
  return binary(opcode::divide, std::move(x), number_node(scalar::of(by), real_of(type)), type);
}

ref<node> mean(const request &r, ref<node> x, bool keep) {
  return divided(sum(r, cast_node(std::move(x), wide(r.computed)), keep), static_cast<double>(r.count));
}

ref<node> variance(const request &r, ref<node> x, double correction) {
  const bool complex = kind_of(x->type) == dtype_kind::complex;
  const dtype real = wide(r.computed);
  const dtype type = !complex ? real : real == dtype::float64 ? dtype::complex128 : dtype::complex64;
  x = cast_node(std::move(x), type);
  auto centre = divided(sum(r, x, true), static_cast<double>(r.count));
  auto distance = binary(opcode::subtract, std::move(x), std::move(centre), type);
  ref<node> square;
  if (complex) {
    square = binary(opcode::add, unary(opcode::square, unary(opcode::real, distance, real), real),
                    unary(opcode::square, unary(opcode::imag, distance, real), real), real);
  } else {
    square = unary(opcode::square, std::move(distance), real);
  }
  const double freedom = static_cast<double>(r.count) - correction;
  return divided(sum(r, std::move(square), r.keep), freedom > 0 ? freedom : std::numeric_limits<double>::quiet_NaN());
}

/// Whether logsumexp over these axes is computed from the maximum, which is read in a pass of its own. A reduction of
/// rows one after the other would need two exponentials for each element, one to scale the sum so far.
bool reads_maximum_first(const request &r) {
  const layout &l = r.input.layout;
  for (const int axis : r.axes)
    if (l.strides[static_cast<std::size_t>(axis)] == 1) return false;
  return !executor_of(r.input.queue).compiles_programs();
}

/// log(sum(exp(x - m))) + m with the maximum m, or with 0 where the maximum is infinite or NaN.
ref<node> log_sum_exp(const request &r, ref<node> x) {
  x = cast_node(std::move(x), r.computed);
  const dtype type = r.computed;
  const ref<node> most = reduce_node(reduction::max, type, x, r.axes, true);
  const ref<node> parts[] = {unary(opcode::isfinite, most, dtype::boolean), most, number_node(scalar::of(0.0), type)};
  const ref<node> shift = element_node(opcode::where, {3, {dtype::boolean, type, type}, type}, parts);
  ref<node> distance = binary(opcode::subtract, std::move(x), shift, type);
  ref<node> total = reduce_node(reduction::sum, type, unary(opcode::exp, std::move(distance), type), r.axes, true);
  ref<node> result = binary(opcode::add, unary(opcode::log, std::move(total), type), shift, type);
  if (r.keep) return result;
  std::vector<int> left;
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < result->shape.size(); ++i) {
    if (std::ranges::binary_search(r.axes, static_cast<int>(i))) continue;
    left.push_back(static_cast<int>(i));
    shape.push_back(result->shape[i]);
  }
  return view_node(std::move(result), extents_list(shape), std::move(left));
}

/// A reduction over no axes: of each element alone.
ref<node> reduced_over_no_axes(const request &r, ref<node> x) {
  switch (r.how) {
  case reduction::argmax:
  case reduction::argmin:
    return view_node(number_node(scalar::of(std::int64_t{0}), dtype::int64), r.input.layout.shape,
                     std::vector<int>(r.input.layout.shape.size(), -1));
  case reduction::any:
  case reduction::all:
  case reduction::count_nonzero:
    return cast_node(std::move(x), dtype::boolean);
  case reduction::hypot: {
    x = cast_node(std::move(x), r.computed);
    return unary(opcode::abs, std::move(x), r.computed);
  }
  default:
    return cast_node(std::move(x), r.computed);
  }
}

ref<node> value_of(const request &r, ref<node> x, double correction) {
  switch (r.how) {
  case reduction::mean:
    return mean(r, std::move(x), r.keep);
  case reduction::variance:
    return variance(r, std::move(x), correction);
  case reduction::deviation: {
    auto v = variance(r, std::move(x), correction);
    return unary(opcode::sqrt, v, v->type);
  }
  case reduction::logsumexp:
    if (!r.axes.empty() && reads_maximum_first(r)) return log_sum_exp(r, std::move(x));
    [[fallthrough]];
  default:
    return r.axes.empty() ? reduced_over_no_axes(r, std::move(x))
                          : reduce_node(r.how, r.computed, std::move(x), r.axes, r.keep);
  }
}

/// The result of a reduction of no elements.
scalar value_for_no_elements(const request &r) {
  switch (r.how) {
  case reduction::max:
  case reduction::min:
  case reduction::argmax:
  case reduction::argmin:
    refuse(refusal::value, "{}: shape {} has no elements along the reduced axes; {} needs at least one", r.name,
           text_of(r.input.layout.shape), r.name);
  case reduction::prod:
  case reduction::all:
    return scalar::of(std::int64_t{1});
  case reduction::logsumexp:
    return scalar::of(-std::numeric_limits<double>::infinity());
  case reduction::mean:
  case reduction::variance:
  case reduction::deviation:
    return scalar::of(std::numeric_limits<double>::quiet_NaN());
  default:
    return scalar::of(std::int64_t{0});
  }
}

}  // namespace

ndarray reduce(reduction how, const ndarray &x, const reduce_options &options) {
  if (options.type == dtype::boolean) {  // in bool, 1 + 1 is 1
    if (how == reduction::sum) how = reduction::any;
    if (how == reduction::prod) how = reduction::all;
  }
  const char *name = name_of(how).data();
  auto &input = implementation_of(x, name);
  const extents_list &from = input.layout.shape;
  request r{name, how, input, {}, options.keep_dimensions, 1, {}, {}};
  if (options.axes) {
    const axis_list given = checked_axes(name, *options.axes, from.size());
    r.axes.assign(given.begin(), given.end());
    std::ranges::sort(r.axes);
  } else {
    for (int i = 0; i < input.layout.dimensions(); ++i) r.axes.push_back(i);
  }
  choose_types(r, options.type);

  std::vector<std::int64_t> shape;
  for (std::size_t i = 0, next = 0; i < from.size(); ++i) {
    if (next < r.axes.size() && r.axes[next] == static_cast<int>(i)) {
      r.count *= from[i];
      ++next;
      if (r.keep) shape.push_back(1);
    } else {
      shape.push_back(from[i]);
    }
  }
  if (options.out) check_out(implementation_of(*options.out, name), shape, r.result, input.queue, name);

  const layout l = layout::contiguous(shape);
  if (input.layout.size == 0) {
    if (l.size == 0) return options.out ? *options.out : make_empty(input.queue, r.result, l, input.kind);
    const scalar value = value_for_no_elements(r);
    if (!options.out) return full(shape, value, r.result, {input.queue, input.kind});
    assign(*options.out, value);
    return *options.out;
  }
  if (!options.out && l.size == 1 && !r.axes.empty())
    if (ndarray done = small_reduction(how, input, r.computed, l, r.result)) return done;
  ref<node> value = cast_node(value_of(r, node_of(x), options.correction), r.result);
  if (!options.out) return defer(input.queue, std::move(value), input.kind);
  store(*options.out, std::move(value));
  return *options.out;
}

}  // namespace dpep::array
