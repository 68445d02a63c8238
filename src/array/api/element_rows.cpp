// Element operations on few elements of slices, and on few elements with broadcasting.
#include "array/api/element_rows.hpp"

#include <algorithm>
#include <array>

#include <dpep/array_opcodes.hpp>

#include "array/api/resolve.hpp"
#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

// Copying operands with shorter rows, or a program, costs less than a call for each.
constexpr std::int64_t min_columns = 8;
constexpr std::size_t max_operands = 3;  // with the result, which is the last

using strides_of_operands = std::array<std::int64_t, max_operands>;

/// The axes of a result, merged to rows and columns where the strides of all operands allow.
struct row_space {
  std::int64_t rows = 1, columns = 1;
  strides_of_operands row{}, column{};
  int axes = 0;

  /// Adds the next outer axis. Returns false if there would be more than two.
  bool add(std::int64_t length, const strides_of_operands &strides) {
    if (length == 1) return true;
    const auto continues = [&](const strides_of_operands &inner, std::int64_t count) {
      for (std::size_t k = 0; k < max_operands; ++k)
        if (strides[k] != inner[k] * count) return false;
      return true;
    };
    if (axes == 0) {
      columns = length, column = strides, axes = 1;
    } else if (axes == 1 && continues(column, columns)) {
      columns *= length;
    } else if (axes == 1) {
      rows = length, row = strides, axes = 2;
    } else if (continues(row, rows)) {
      rows *= length;
    } else {
      return false;
    }
    return true;
  }
};

/// The shape that the arrays broadcast to; empty, like that of a number, if there is none.
extents_list broadcast_shape(std::span<const array_object *const> arrays) {
  std::size_t dimensions = 0;
  for (const array_object *a : arrays)
    if (a) dimensions = std::max(dimensions, a->layout.shape.size());
  extents_list shape(dimensions, 1);
  for (const array_object *a : arrays) {
    const std::size_t missing = a ? dimensions - a->layout.shape.size() : dimensions;
    for (std::size_t i = missing; i < dimensions; ++i) {
      const std::int64_t length = a->layout.shape[i - missing];
      if (shape[i] == 1)
        shape[i] = length;
      else if (length != 1 && length != shape[i])
        return {};
    }
  }
  return shape;
}

/// The stride along an axis of the result, of `dimensions`.
std::int64_t stride_along(const layout &l, std::size_t axis, std::size_t dimensions) {
  const std::size_t missing = dimensions - l.shape.size();
  return axis < missing || l.shape[axis - missing] == 1 ? 0 : l.strides[axis - missing];
}

bool may_overlap(array_object &a, array_object &b) {
  const auto range = [](array_object &x) {
    const auto [first, last] = x.layout.bounds();
    const auto bytes = static_cast<std::int64_t>(size_of(x.type));
    return std::pair(x.memory()->base() + first * bytes, x.memory()->base() + (last + 1) * bytes);
  };
  const auto [first, end] = range(a);
  const auto [other_first, other_end] = range(b);
  return first < other_end && other_first < end;
}

/// Whether each element is read at the index at which it is written, or not written.
bool may_write(array_object &out, array_object &operand) {
  const bool same = out.first() == operand.first() && out.layout.shape == operand.layout.shape &&
                    out.layout.strides == operand.layout.strides && size_of(out.type) == size_of(operand.type);
  return same || !may_overlap(out, operand);
}

}  // namespace

ndarray element_rows(opcode code, const signature &s, std::span<const operand> operands, const ndarray *given_out,
                     usm_kind kind, std::int64_t most) {
  using blocks::form;
  if (operands.size() > 2) return {};
  std::array<array_object *, 2> arrays{};
  array_object *like = nullptr;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k].array) continue;
    arrays[k] = like = static_cast<array_object *>(operands[k].array->get());
    if (arrays[k]->type != s.from[k]) return {};
  }
  const extents_list shape = broadcast_shape(arrays);
  const std::size_t dimensions = shape.size();
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  if (dimensions == 0 || count == 0 || count > most) return {};

  array_object *const out = given_out ? &implementation_of(*given_out, info(code).name.data()) : nullptr;
  if (out) check_out(*out, shape, s.to, like->queue, info(code).name.data());
  row_space space;
  std::int64_t stride = 1;  // of a new result
  for (std::size_t i = dimensions; i-- > 0; stride *= shape[i]) {
    strides_of_operands strides{};
    for (std::size_t k = 0; k < 2; ++k)
      if (arrays[k]) strides[k] = stride_along(arrays[k]->layout, i, dimensions);
    strides[2] = out ? stride_along(out->layout, i, dimensions) : stride;
    if (!space.add(shape[i], strides)) return {};
  }
  if (space.rows > 1 && space.columns < min_columns) return {};
  std::array<form, 2> forms{form::vector, form::vector};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!arrays[k] || (space.axes > 0 && space.column[k] == 0)) forms[k] = form::one;
    if (space.column[k] < 0 || space.column[k] > 1) return {};
  }
  if (space.axes > 0 && space.column[2] != 1) return {};
  if (forms[0] == form::one && (operands.size() == 1 || forms[1] == form::one)) return {};
  if (!blocks::has_form(code, forms[0], forms[1])) return {};
  if (out) {
    if (out->pending() || !may_write_now(*out)) return {};
    for (array_object *const a : arrays)
      if (a && !may_write(*out, *a)) return {};
  }

  const ndarray result = out ? *given_out : make_empty(like->queue, s.to, layout::contiguous(shape), kind);
  alignas(16) std::byte numbers[2][16];
  std::array<const std::byte *, 2> at{};
  std::array<std::int64_t, 2> step{};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (arrays[k]) {
      at[k] = arrays[k]->first();
      step[k] = space.row[k] * static_cast<std::int64_t>(size_of(s.from[k]));
    } else {
      write_element(numbers[k], s.from[k], *operands[k].number);
      at[k] = numbers[k];
    }
  }
  std::byte *to = static_cast<array_object *>(result.get())->first();
  const std::int64_t to_step = space.row[2] * static_cast<std::int64_t>(size_of(s.to));
  const blocks::element_function f = blocks::find(code, s, forms[0], forms[1]);
  for (std::int64_t row = 0; row < space.rows; ++row) {
    const void *const inputs[] = {at[0], at[1], nullptr};
    f(static_cast<std::size_t>(space.columns), inputs, to);
    at[0] += step[0], at[1] += step[1], to += to_step;
  }
  return result;
}

}  // namespace dpep::array
