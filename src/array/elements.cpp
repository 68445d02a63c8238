// Element operations: shapes, types and places are checked, then the operation becomes a node.
#include <dpep/array_functions.hpp>

#include <algorithm>

#include "array/array_object.hpp"
#include "array/errors.hpp"
#include "array/graph.hpp"
#include "array/resolve.hpp"
#include "array/scalars.hpp"
#include "array/small_elements.hpp"

namespace dpep::array {
namespace {

/// (x, low, high) with one limit or none: maximum, minimum, or x itself.
ndarray clip_on_one_side(std::span<const operand> given, const element_options &options) {
  const auto missing = [](const operand &o) { return !o.array && !o.number; };
  const operand &x = given[0];
  if (!x.array) refuse(refusal::type, "clip: the first operand is a number; wanted an array");
  const bool no_low = missing(given[1]), no_high = missing(given[2]);
  if (no_low && no_high) {
    const operand one[] = {x};
    return element(kind_of(x.array->type()) == dtype_kind::boolean ? opcode::logical_or : opcode::positive,
                   kind_of(x.array->type()) == dtype_kind::boolean ? std::span<const operand>(std::array{x, x}) : one,
                   options);
  }
  // the missing limit is replaced by the other for the check of types, which is the same
  const operand &limit = no_low ? given[2] : given[1];
  const operand filled[] = {x, limit, limit};
  choose_signature(opcode::clip, filled, x.array->get_queue().get_device());
  const operand pair[] = {x, limit};
  element_options in = options;
  in.type = x.array->type();
  return element(no_low ? opcode::minimum : opcode::maximum, pair, in);
}

struct place_of_result {
  const queue *where = nullptr;
  usm_kind kind = usm_kind::unknown;
};

/// Axes along which everything runs backwards: so does the result, when it keeps its operands' order.
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

/// x ** 2, which is what most powers are: a product is right to half a unit in the last place, and thirty times faster.
bool is_square(opcode code, std::span<const operand> operands, const element_options &options) noexcept {
  if (code != opcode::pow || operands.size() != 2 || !operands[0].array || !operands[1].number || options.type)
    return false;
  const scalar &exponent = *operands[1].number;
  const dtype_kind kind = kind_of(operands[0].array->type());
  if (exponent.what == scalar::kind::integer) return exponent.integer == 2 && kind != dtype_kind::boolean;
  const bool floating = kind == dtype_kind::real || kind == dtype_kind::complex;
  return exponent.what == scalar::kind::real && exponent.number.real() == 2 && floating;
}

place_of_result find_place(const char *name, std::span<const operand> operands) {
  place_of_result place;
  for (const operand &o : operands) {
    if (!o.array) continue;
    const array_object &a = implementation_of(*o.array, name);
    if (!place.where) {
      place = {&a.queue, a.kind};
    } else {
      check_queue(*place.where, a, name);
      place.kind = coerced(place.kind, a.kind);
    }
  }
  if (!place.where)
    refuse(refusal::placement, "{}: only numbers given; wanted at least one array, which says where to compute", name);
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

ndarray element(opcode code, std::span<const operand> operands, const element_options &options) {
  if (is_square(code, operands, options)) return element(opcode::square, operands.first(1), options);
  if (ndarray done = small_element(code, operands, options)) return done;

  const char *name = info(code).name.data();
  if (code == opcode::clip && operands.size() == 3 &&
      std::ranges::any_of(operands, [](const operand &o) { return !o.array && !o.number; }))
    return clip_on_one_side(operands, options);
  const auto [where, kind] = find_place(name, operands);
  const signature &s = options.type ? choose_signature_in(*options.type, code, operands)
                                    : choose_signature(code, operands, where->get_device());

  std::array<extents, 3> shapes;
  std::array<const layout *, 3> layouts;
  std::size_t arrays = 0;
  for (const operand &o : operands) {
    if (!o.array) continue;
    const array_object &a = implementation_of(*o.array, name);
    shapes[arrays] = a.layout.shape;
    layouts[arrays++] = &a.layout;
  }
  bool alike = true;
  for (std::size_t i = 1; i < arrays; ++i) alike = alike && std::ranges::equal(shapes[i], shapes[0]);
  std::vector<std::int64_t> common;
  extents shape = shapes[0];
  if (!alike) {
    try {
      common = broadcast_shapes({shapes.data(), arrays});
    } catch (const error &e) {
      throw error(e.why(), fmt::format("{}: {}", name, e.what()));
    }
    shape = common;
  }
  if (options.out) check_out(implementation_of(*options.out, name), shape, s.to, *where, name);

  std::array<ref<node>, 3> inputs;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].array)
      inputs[i] = node_of(*operands[i].array);
    else
      inputs[i] = number_node(converted(*operands[i].number, s.from[i], name), s.from[i]);
  }
  const auto memory_order = [&]() -> extents_list {
    switch (options.layout) {
    case order::row_major:
    case order::column_major:
      return layout::contiguous(shape, options.layout).strides;
    case order::any: {
      bool columns = true;
      for (std::size_t i = 0; i < arrays; ++i) columns = columns && layouts[i]->column_major;
      return layout::contiguous(shape, columns ? order::column_major : order::row_major).strides;
    }
    case order::keep:
      break;
    }
    return kept_order_strides(shape, {layouts.data(), arrays});
  };
  const bool nothing = std::ranges::find(shape, 0) != shape.end();
  if (options.out) {
    if (!nothing) store(*options.out, element_node(code, s, {inputs.data(), operands.size()}));
    return *options.out;
  }
  extents_list strides = memory_order();
  if (nothing) return make_empty(*where, s.to, layout(shape, std::move(strides), 0), kind);
  auto value = element_node(code, s, {inputs.data(), operands.size()});
  if (options.layout == order::keep) {
    if (const auto axes = backward_axes(shape, {layouts.data(), arrays}); !axes.empty()) {
      ndarray result = flip(make_empty(*where, s.to, layout(shape, std::move(strides), 0), kind), axes);
      store(result, std::move(value));
      return result;
    }
  }
  return show(*where, std::move(value), kind, std::move(strides));
}

}  // namespace dpep::array
