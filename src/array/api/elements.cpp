// Element operations: checks shapes, types and queues, then makes a node of the operation.
#include <dpep/array_functions.hpp>

#include <algorithm>

#include <dpep/array_opcodes.hpp>
#include <dpep/array_single_elements.hpp>

#include "array/api/resolve.hpp"
#include "array/api/small_elements.hpp"
#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

/// Whether an integer limit of clip has no effect on any value of an integer dtype. Such a limit need not fit the
/// dtype.
bool is_ineffective(const scalar &limit, dtype type, bool is_minimum) {
  const dtype_kind kind = kind_of(type);
  if (limit.what != scalar::kind::integer) return false;
  if (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer) return false;
  const bool is_negative = !limit.beyond_int64 && limit.integer < 0;
  return !fits(limit, type) && is_negative == is_minimum;
}

/// Copies the operands of clip without limits that have no effect. Returns whether there are such limits.
bool drop_ineffective_limits(std::span<const operand> given, std::span<operand, 3> effective) {
  if (given.size() != 3 || !given[0].array) return false;
  std::ranges::copy(given, effective.begin());
  const dtype type = given[0].array->type();
  bool any = false;
  for (const int k : {1, 2}) {
    if (!given[k].number || !is_ineffective(*given[k].number, type, k == 1)) continue;
    effective[k] = {};
    any = true;
  }
  return any;
}

/// clip(x, low, high) with one limit or none: a maximum, a minimum, or a copy.
ndarray clip_on_one_side(std::span<const operand> given, const element_options &options) {
  const auto missing = [](const operand &o) { return !o.array && !o.number; };
  const operand &x = given[0];
  if (!x.array) refuse(refusal::type, "clip: expected an array as the first operand, got a number");
  const bool no_low = missing(given[1]), no_high = missing(given[2]);
  if (no_low && no_high) {
    const operand one[] = {x};
    return element(kind_of(x.array->type()) == dtype_kind::boolean ? opcode::logical_or : opcode::positive,
                   kind_of(x.array->type()) == dtype_kind::boolean ? std::span<const operand>(std::array{x, x}) : one,
                   options);
  }
  // for the type check, the missing limit is replaced by the other, which does not change the outcome
  const operand &limit = no_low ? given[2] : given[1];
  const operand filled[] = {x, limit, limit};
  choose_signature(opcode::clip, filled, x.array->get_queue().get_device());
  const operand pair[] = {x, limit};
  element_options in = options;
  in.type = x.array->type();
  return element(no_low ? opcode::minimum : opcode::maximum, pair, in);
}

/// clip between two numbers, as a maximum and a minimum: the block kernels of these read a number once for a block,
/// that of clip only arrays.
ref<node> clip_to_numbers(dtype type, std::span<const ref<node>> inputs) {
  const signature two{2, {type, type}, type};
  const ref<node> raised[] = {cast_node(inputs[0], type), inputs[1]};
  const ref<node> lowered[] = {element_node(opcode::maximum, two, raised), inputs[2]};
  return element_node(opcode::minimum, two, lowered);
}

/// Queue and kind of memory of a result.
struct result_placement {
  const queue *where = nullptr;
  usm_kind kind = usm_kind::unknown;
};

/// The axes along which all operands have negative strides. Results that keep the operands' order have them, too.
std::vector<int> backward_axes(extents shape, std::span<const layout *const> operands) {
  std::vector<int> axes;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    bool backwards = false, forwards = false;
    for (const layout *o : operands) {
      const std::size_t missing = shape.size() - o->shape.size();
      if (axis < missing || o->shape[axis - missing] == 1) continue;
      (o->strides[axis - missing] < 0 ? backwards : forwards) = true;
    }
    if (backwards && !forwards) axes.push_back(static_cast<int>(axis));
  }
  return axes;
}

/// power_by() for the operands of `pow`.
opcode power_of(std::span<const operand> operands, const element_options &options) noexcept {
  if (operands.size() != 2 || !operands[0].array || !operands[1].number) return opcode::pow;
  const dtype type = operands[0].array->type();
  return options.type && *options.type != type ? opcode::pow : power_by(type, *operands[1].number);
}

result_placement placement_of(const char *name, std::span<const operand> operands) {
  result_placement place;
  for (const operand &o : operands) {
    if (!o.array) continue;
    const array_object &a = implementation_of(*o.array, name);
    if (!place.where) {
      place = {&a.queue, a.kind};
    } else {
      check_same_queue(*place.where, a.queue, name);
      place.kind = coerced(place.kind, a.kind);
    }
  }
  if (!place.where)
    refuse(refusal::placement, "{}: expected at least one array to determine the queue, got only numbers", name);
  return place;
}

}  // namespace

std::vector<std::int64_t> broadcast_shapes(std::span<const extents> shapes) {
  std::vector<std::int64_t> result;
  for (const extents &s : shapes)
    if (s.size() > result.size()) result.insert(result.begin(), s.size() - result.size(), 1);
  for (const extents &s : shapes) {
    const std::size_t skipped = result.size() - s.size();
    for (std::size_t i = 0; i < s.size(); ++i) {
      std::int64_t &length = result[skipped + i];
      if (s[i] == 1 || s[i] == length) continue;
      if (length != 1) {
        std::string all;
        for (const extents &one : shapes) all += fmt::format("{}{}", all.empty() ? "" : ", ", text_of(one));
        refuse(refusal::value, "shapes {} cannot be broadcast together: axis {} from the end has lengths {} and {}",
               all, s.size() - i, length, s[i]);
      }
      length = s[i];
    }
  }
  return result;
}

namespace {

/// The operation's name, and the dtypes that it computes in.
struct computation {
  const char *name;
  std::span<const dtype> from;
  dtype to;
};

/// The shape that operands broadcast to. `common` holds it if it is not an operand's shape.
extents shape_of(const char *name, std::span<const extents> shapes, std::vector<std::int64_t> &common) {
  const auto same = [&](const extents &s) { return std::ranges::equal(s, shapes[0]); };
  if (std::ranges::all_of(shapes, same)) return shapes[0];
  try {
    common = broadcast_shapes(shapes);
  } catch (const error &e) {
    throw error(e.why(), fmt::format("{}: {}", name, e.what()));
  }
  return common;
}

extents_list strides_of(order wanted, extents shape, std::span<const layout *const> layouts) {
  switch (wanted) {
  case order::row_major:
  case order::column_major:
    return layout::contiguous(shape, wanted).strides;
  case order::any: {
    const bool columns = std::ranges::all_of(layouts, [](const layout *l) { return l->column_major; });
    return layout::contiguous(shape, columns ? order::column_major : order::row_major).strides;
  }
  case order::keep:
  case order::keep_forward:
    break;
  }
  return kept_order_strides(shape, layouts);
}

/// Computes the operation, into `out` if given. `make_node` makes a node of the operands' nodes.
template <class MakeNode>
ndarray compute(const computation &c, const result_placement &place, std::span<const operand> operands,
                const element_options &options, MakeNode make_node) {
  const queue &where = *place.where;
  std::array<extents, max_inputs> shapes;
  std::array<const layout *, max_inputs> layouts;
  std::size_t arrays = 0;
  for (const operand &o : operands) {
    if (!o.array) continue;
    const array_object &a = implementation_of(*o.array, c.name);
    shapes[arrays] = a.layout.shape;
    layouts[arrays++] = &a.layout;
  }
  std::vector<std::int64_t> common;
  const extents shape = shape_of(c.name, {shapes.data(), arrays}, common);
  if (options.out) check_out(implementation_of(*options.out, c.name), shape, c.to, where, c.name);

  std::array<ref<node>, max_inputs> inputs;
  for (std::size_t i = 0; i < operands.size(); ++i)
    inputs[i] = operands[i].array ? node_of(*operands[i].array)
                                  : number_node(converted(*operands[i].number, c.from[i], c.name), c.from[i]);
  const std::span<const ref<node>> nodes(inputs.data(), operands.size());
  const bool empty = std::ranges::find(shape, 0) != shape.end();
  if (options.out) {
    if (!empty) store(*options.out, make_node(nodes));
    return *options.out;
  }
  extents_list strides = strides_of(options.layout, shape, {layouts.data(), arrays});
  if (empty) return make_empty(where, c.to, layout(shape, std::move(strides), 0), place.kind);
  ref<node> value = make_node(nodes);
  if (options.layout == order::keep) {
    if (const auto axes = backward_axes(shape, {layouts.data(), arrays}); !axes.empty()) {
      ndarray result = flip(make_empty(where, c.to, layout(shape, std::move(strides), 0), place.kind), axes);
      store(result, std::move(value));
      return result;
    }
  }
  return defer(where, std::move(value), place.kind, std::move(strides));
}

}  // namespace

opcode power_by(dtype type, const scalar &number) noexcept {
  const dtype_kind kind = kind_of(type);
  const bool real = kind == dtype_kind::real, inexact = real || kind == dtype_kind::complex;
  if (kind == dtype_kind::boolean) return opcode::pow;
  if (number.what != scalar::kind::integer && (number.what != scalar::kind::real || !inexact)) return opcode::pow;
  const double exponent =
      number.what == scalar::kind::integer ? static_cast<double>(number.integer) : number.number.real();
  if (exponent == 2) return opcode::square;
  if (exponent == 3) return opcode::pow_3;
  if (exponent == 4) return opcode::pow_4;
  if (!real) return opcode::pow;
  if (exponent == 0.5) return opcode::pow_half;
  if (exponent == -0.5) return opcode::pow_minus_half;
  if (exponent == -1) return opcode::reciprocal;
  if (exponent == 1.5) return opcode::pow_3_halves;
  if (exponent == -1.5) return opcode::pow_minus_3_halves;
  if (exponent == -2) return opcode::pow_minus_2;
  return opcode::pow;
}

ndarray element(opcode code, std::span<const operand> operands, const element_options &options) {
  if (operand effective[3]; code == opcode::clip && drop_ineffective_limits(operands, effective))
    return element(code, effective, options);
  if (code == opcode::pow)
    if (const opcode power = power_of(operands, options); power != opcode::pow)
      return element(power, operands.first(1), options);
  if (ndarray done = small_element(code, operands, options)) return done;

  const char *name = info(code).name.data();
  if (code == opcode::clip && operands.size() == 3 &&
      std::ranges::any_of(operands, [](const operand &o) { return !o.array && !o.number; }))
    return clip_on_one_side(operands, options);
  const result_placement place = placement_of(name, operands);
  const signature &s = options.type ? choose_signature_in(*options.type, code, operands)
                                    : choose_signature(code, operands, place.where->get_device());
  return compute({name, s.from, s.to}, place, operands, options, [&](std::span<const ref<node>> inputs) {
    return code == opcode::clip && operands[1].number && operands[2].number ? clip_to_numbers(s.to, inputs)
                                                                            : element_node(code, s, inputs);
  });
}

ndarray apply(const ref<const user_function> &f, std::span<const operand> operands, const element_options &options) {
  const char *name = f->name.c_str();
  if (operands.size() != f->from.size())
    refuse(refusal::type, "{}: expected {} operand(s), got {}", name, f->from.size(), operands.size());
  const result_placement place = placement_of(name, operands);
  for (const dtype t : f->from) check_supported(t, place.where->get_device(), name);
  check_supported(f->to, place.where->get_device(), name);
  return compute({name, f->from, f->to}, place, operands, options,
                 [&](std::span<const ref<node>> inputs) { return user_node(f, inputs); });
}

user_function::user_function(std::string name, std::string symbol, std::vector<dtype> from, dtype to, definition define)
    : name(std::move(name)),
      symbol(std::move(symbol)),
      from(std::move(from)),
      to(to),
      define(std::move(define)),
      native(nullptr),
      nanoseconds(4),  // unknown: assume that storing a value is cheaper than computing it again
      milliseconds(5) {
  if (this->from.empty() || this->from.size() > max_inputs)
    refuse(refusal::type, "{}: expected 1 to {} operands, got {}", this->name, max_inputs, this->from.size());
}
user_function::user_function(std::string name, std::string symbol, std::vector<dtype> from, dtype to,
                             native_loop native, double nanoseconds, double milliseconds)
    : name(std::move(name)),
      symbol(std::move(symbol)),
      from(std::move(from)),
      to(to),
      native(native),
      nanoseconds(nanoseconds),
      milliseconds(milliseconds) {}
user_function::~user_function() = default;

std::vector<unsigned char> with_definitions(std::span<const unsigned char> module, const function_list &functions) {
  std::vector<unsigned char> whole(module.begin(), module.end());
  for (auto f = functions.begin(); f != functions.end(); ++f)
    if ((*f)->define && std::find(functions.begin(), f, *f) == f) whole = (*f)->define(whole);
  return whole;
}

}  // namespace dpep::array
