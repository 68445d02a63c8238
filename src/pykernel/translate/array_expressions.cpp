// Elementwise expressions of whole arrays in compiled loops.
#include "pykernel/translate/array_expressions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

using kinds = type_properties::kind;

bool is_expression(const value &v) { return v.of->what == kinds::array_expression; }

type expression_type(dtype element, int dimensions) {
  type_properties properties;
  properties.what = kinds::array_expression;
  properties.element = element;
  properties.dimensions = static_cast<std::uint8_t>(dimensions);
  return intern(properties);
}

/// A placeholder of a type. Only the types of the results that are computed from it are used.
value any_number(translation &ctx, type t) {
  value v{.of = t};
  for (const machine_type m : machine_types_of(t)) v.parts.push_back(ctx.ir.get(ctx.ir.variable(m, "#any")));
  return v;
}

type element_type(const value &v) { return is_scalar(v.of) ? v.of : scalar_type(v.of->element); }

/// The length that two lengths broadcast to. Emits a check that they can be broadcast.
node broadcast(translation &ctx, node x, node y, const expression &at) {
  const auto known_x = ctx.ir.known(x), known_y = ctx.ir.known(y);
  if (known_x == 1 || x == y) return y;
  if (known_y == 1) return x;
  if (known_x && known_y) {
    if (*known_x != *known_y)
      fail(ctx, error_kind::value, at,
           fmt::format("operands of lengths {} and {} cannot be broadcast together", *known_x, *known_y));
    return x;
  }
  const node one = ctx.ir.size(1);
  const node fits = ctx.ir.binary(
      operation::bit_or, ctx.ir.compare(operation::eq, x, y),
      ctx.ir.binary(operation::bit_or, ctx.ir.compare(operation::eq, x, one), ctx.ir.compare(operation::eq, y, one)));
  ctx.ir.branch(ctx.ir.negate(fits), [&] {
    emit_error_with(ctx, "ValueError: shapes do not match: operands of lengths {} and {} cannot be broadcast together",
                    x, y, at.at);
  });
  return known_x ? x : known_y ? y : ctx.ir.select(ctx.ir.compare(operation::eq, x, one), y, x);
}

/// The element of an operand at an index of the result: axes of length 1 repeat.
value operand_element(translation &ctx, const value &v, const std::vector<node> &extents,
                      const std::vector<value> &indices, const expression &at) {
  if (is_scalar(v.of)) return v;
  const std::size_t missing = indices.size() - v.of->dimensions;
  std::vector<value> own;
  for (int d = 0; d < v.of->dimensions; ++d) {
    const std::size_t axis = missing + std::size_t(d);
    const node length = length_of(ctx, v, d);
    const auto known = ctx.ir.known(length);
    if (known == 1) {
      own.push_back(integer(ctx, 0));
    } else if (known || length == extents[axis]) {
      own.push_back(indices[axis]);
    } else {
      const node repeats = ctx.ir.compare(operation::eq, length, ctx.ir.size(1));
      own.push_back(size_value(ctx, ctx.ir.select(repeats, ctx.ir.size(0), indices[axis].parts[0])));
    }
  }
  return element_of(ctx, v, own, at);
}

}  // namespace

bool is_whole_array(const value &v) { return is_array(v.of) || is_expression(v); }

bool are_elementwise(const translation &ctx, const std::vector<value> &operands) {
  return ctx.request.loop && std::ranges::any_of(operands, is_whole_array) &&
         std::ranges::all_of(operands, [](const value &v) { return is_scalar(v.of) || is_whole_array(v); });
}

value elementwise(translation &ctx, const std::vector<value> &operands,
                  std::function<value(translation &, const std::vector<value> &)> function, const expression &at) {
  std::vector<value> samples;
  int dimensions = 0;
  for (const value &v : operands) {
    samples.push_back(any_number(ctx, element_type(v)));
    if (is_scalar(v.of)) samples.back() = v;
    if (!is_scalar(v.of)) dimensions = std::max<int>(dimensions, v.of->dimensions);
  }
  const value sample = function(ctx, samples);
  if (!is_scalar(sample.of))
    fail(ctx, error_kind::array_function, at, "the operation does not give one number for each element");
  std::vector<node> extents(std::size_t(dimensions), ctx.ir.size(1));
  auto made = std::make_shared<array_expression>();
  for (const value &v : operands) {
    if (is_scalar(v.of)) continue;
    for (int d = 0; d < v.of->dimensions; ++d) {
      node &length = extents[std::size_t(dimensions - v.of->dimensions + d)];
      length = broadcast(ctx, length, length_of(ctx, v, d), at);
    }
    if (v.lazy)
      made->reads.insert(made->reads.end(), v.lazy->reads.begin(), v.lazy->reads.end());
    else
      made->reads.push_back(v);
  }
  made->extents = extents;
  made->element = [operands, extents, function = std::move(function),
                   where = at.at](translation &inner, const std::vector<value> &indices) {
    expression place;
    place.at = where;
    std::vector<value> numbers;
    for (const value &v : operands) numbers.push_back(operand_element(inner, v, extents, indices, place));
    return function(inner, numbers);
  };
  return {.of = expression_type(sample.of->element, dimensions), .lazy = std::move(made)};
}

node length_of(translation &ctx, const value &v, int axis) {
  return v.lazy ? v.lazy->extents[std::size_t(axis)] : extent(ctx, v, axis);
}

value element_of(translation &ctx, const value &v, const std::vector<value> &indices, const expression &at) {
  if (v.lazy) return v.lazy->element(ctx, indices);
  return load(ctx, v, element_address(ctx, v, indices, at));
}

node element_count(translation &ctx, const value &v) {
  node count = ctx.ir.size(1);
  for (int d = 0; d < v.of->dimensions; ++d) count = ctx.ir.mul(count, length_of(ctx, v, d));
  return count;
}

void for_each_element(translation &ctx, const value &v, const std::function<void(const std::vector<value> &)> &each,
                      const expression &at) {
  std::vector<value> indices;
  const std::function<void(int)> along = [&](int axis) {
    if (axis == v.of->dimensions) return each(indices);
    loop_over_range(
        ctx,
        [&](const value &i) {
          indices.push_back(i);
          along(axis + 1);
          indices.pop_back();
        },
        integer(ctx, 0), size_value(ctx, length_of(ctx, v, axis)), integer(ctx, 1), at);
  };
  along(0);
}

std::optional<value> stored(translation &ctx, const value &v, const expression &at) {
  std::vector<std::int64_t> shape;
  std::int64_t count = 1;
  for (int d = 0; d < v.of->dimensions; ++d) {
    const auto length = ctx.ir.known(length_of(ctx, v, d));
    if (!length || __builtin_mul_overflow(count, *length, &count) || count > most_private_elements) return std::nullopt;
    shape.push_back(*length);
  }
  const value array = private_array(ctx, shape, v.of->element, false);
  for_each_element(
      ctx, v,
      [&](const std::vector<value> &indices) {
        store(ctx, array, element_address(ctx, array, indices, at), element_of(ctx, v, indices, at), at);
      },
      at);
  return array;
}

value expression_attribute(translation &ctx, const value &v, const std::string &name, const expression &at) {
  const auto sized = [&](node x) {
    value s = size_value(ctx, x);
    s.known = ctx.ir.known(x);
    return s;
  };
  if (name == "shape") {
    std::vector<value> members;
    for (int d = 0; d < v.of->dimensions; ++d) members.push_back(sized(length_of(ctx, v, d)));
    return tuple(std::move(members));
  }
  if (name == "size") return sized(element_count(ctx, v));
  if (name == "ndim") return integer(ctx, v.of->dimensions);
  if (name == "dtype") return object({.what = entity::kind::data_type, .weak = false, .element = v.of->element});
  fail(ctx, error_kind::array_function, at, fmt::format("expressions of arrays have no attribute '{}' in loops", name));
}

}  // namespace dpep::pykernel
