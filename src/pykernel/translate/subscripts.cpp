// Subscripts of arrays and tuples.
#include "pykernel/translate/subscripts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/arguments.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {

namespace {

using kind = expression::kind;

/// The expressions of an index: the members of a tuple, or the index itself.
std::vector<const expression *> index_parts(const expression &index) {
  std::vector<const expression *> list;
  if (index.what == kind::tuple)
    for (const expression_pointer &p : index.parts) list.push_back(p.get());
  else
    list.push_back(&index);
  return list;
}

value element_or_subarray(translation &ctx, const value &array, const expression &index, const expression &at) {
  const value v = subarray(ctx, array, index, at);
  return v.of->dimensions == 0 ? load(ctx, v, v.parts[0]) : v;
}

}  // namespace

bool names_array_without_axes(const translation &ctx, const value &of, const expression &index) {
  const bool has_no_index = (index.what == kind::tuple && index.parts.empty()) || is_ellipsis(index);
  return ctx.request.loop && is_scalar(of.of) && has_no_index;
}

value subscript(translation &ctx, const value &of, const expression &e) {
  const expression &index = *e.parts[1];
  if (is_array(of.of)) return element_or_subarray(ctx, of, index, e);
  if (names_array_without_axes(ctx, of, index)) return of;
  if (of.of->what == type_properties::kind::tuple) {
    const auto length = std::int64_t(of.members.size());
    if (index.what == kind::slice) {
      const auto bound = [&](const expression_pointer &p, std::int64_t otherwise) {
        if (!p || p->what == kind::none) return otherwise;
        std::int64_t k = constant_integer(ctx, evaluate(ctx, *p), *p, "a tuple's slice");
        if (k < 0) k += length;
        return std::clamp<std::int64_t>(k, 0, length);
      };
      if (index.parts[2])
        fail(ctx, error_kind::unsupported, e, "slices of tuples cannot have a step: write the members out");
      const std::int64_t first = bound(index.parts[0], 0), last = bound(index.parts[1], length);
      std::vector<value> members;
      for (std::int64_t i = first; i < last; ++i) members.push_back(of.members[std::size_t(i)]);
      return tuple(std::move(members));
    }
    const value i = evaluate(ctx, index);
    const node n = integer_node(ctx, i, index, "an index");
    if (i.known || ctx.ir.known(n)) {
      const std::int64_t k = i.known.value_or(ctx.ir.known(n).value_or(0));
      if (k >= length || k < -length)
        fail(ctx, error_kind::index, e, fmt::format("index {} is out of range for a tuple of length {}", k, length));
      return of.members[std::size_t(k < 0 ? k + length : k)];
    }
    // A variable index selects one of the members, which must have one type.
    if (of.members.empty()) fail(ctx, error_kind::index, e, "an empty tuple cannot be indexed");
    type common = of.members[0].of;
    for (const value &m : of.members) {
      common = unify(common, m.of);
      if (!common)
        fail(ctx, error_kind::typing, e,
             fmt::format("{} is indexed by a variable, so its members must have one type", display_name(of.of)));
    }
    if (ctx.request.check) check_tuple_index(ctx, n, length, e);
    std::vector<node> parts;  // members may be tuples themselves
    append_parts(convert(ctx, of.members[0], common, e), parts);
    bool nonnegative = of.members[0].nonnegative;
    for (std::int64_t k = 1; k < length; ++k) {
      const node matches = ctx.ir.binary(operation::bit_or, ctx.ir.compare(operation::eq, n, ctx.ir.size(k)),
                                         ctx.ir.compare(operation::eq, n, ctx.ir.size(k - length)));
      const value m = convert(ctx, of.members[std::size_t(k)], common, e);
      nonnegative = nonnegative && m.nonnegative;
      std::vector<node> others;
      append_parts(m, others);
      for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = ctx.ir.select(matches, others[p], parts[p]);
    }
    const node *first = parts.data();
    value result = value_of(common, first);
    result.nonnegative = nonnegative;
    return result;
  }
  fail(ctx, operand_error({of.of}), e,
       fmt::format("{} is {}, which cannot be indexed{}", source_text(ctx, *e.parts[0]), display_name(of.of),
                   is_item(of.of) ? launch_hint(ctx) : ""));
}

value subarray(translation &ctx, const value &array, const expression &index, const expression &at) {
  // Evaluate each index once, and expand those whose value is a tuple.
  struct part {
    enum class kind { index, slice, new_axis } what;
    value v;
    const expression *slice = nullptr;
  };
  std::vector<part> parts;
  const int n = array.of->dimensions;
  std::vector<const expression *> written = index_parts(index);
  int axes_used = 0;
  std::size_t ellipsis = SIZE_MAX;
  for (const expression *e : written) {
    if (is_ellipsis(*e)) {
      if (ellipsis != SIZE_MAX) fail(ctx, error_kind::index, *e, "an index can contain only one ellipsis (...)");
      ellipsis = parts.size();
    } else if (e->what == kind::slice) {
      parts.push_back({part::kind::slice, {}, e});
      ++axes_used;
    } else if (e->what == kind::none) {
      parts.push_back({part::kind::new_axis, {}});
    } else {
      const value v = evaluate(ctx, *e);
      if (is_tuple(v.of)) {
        for (const value &m : v.members) parts.push_back({part::kind::index, m}), ++axes_used;
      } else if (v.of->what == type_properties::kind::none) {
        parts.push_back({part::kind::new_axis, {}});
      } else {
        if (is_array(v.of))
          fail(ctx, error_kind::array_function, *e, "kernels do not support indexing by arrays: write a loop");
        if (is_scalar(v.of) && v.of->element == dtype::boolean)
          fail(ctx, ctx.request.loop ? error_kind::whole_array : error_kind::typing, *e,
               fmt::format("{} is a bool, which selects all elements or none as an index: write an if statement, or "
                           "int() for the indices 0 and 1",
                           source_text(ctx, *e)));
        parts.push_back({part::kind::index, v});
        ++axes_used;
      }
    }
  }
  if (axes_used > n)
    fail(ctx, error_kind::index, at, fmt::format("{} indices for an array of {} dimensions", axes_used, n));
  const bool only_indices = std::ranges::all_of(parts, [](const part &p) { return p.what == part::kind::index; });
  if (only_indices && axes_used == n) {
    std::vector<value> indices;
    for (part &p : parts) indices.push_back(std::move(p.v));
    return element_reference(array, element_address(ctx, array, indices, at));
  }
  const std::size_t missing = std::size_t(n - axes_used);
  const std::size_t insert_at = ellipsis == SIZE_MAX ? parts.size() : ellipsis;
  for (std::size_t i = 0; i < missing; ++i)
    parts.insert(parts.begin() + std::ptrdiff_t(insert_at), part{part::kind::slice, {}, nullptr});

  // Leading indices of a C-contiguous array select a C-contiguous view.
  std::size_t leading = 0;
  while (leading < parts.size() && parts[leading].what == part::kind::index) ++leading;
  const bool contiguous =
      array.of->layout == 'C' && std::all_of(parts.begin() + std::ptrdiff_t(leading), parts.end(), [](const part &p) {
        return p.what == part::kind::slice &&
               (!p.slice || (!p.slice->parts[0] && !p.slice->parts[1] && !p.slice->parts[2]));
      });
  const auto bytes = std::int64_t(size_of(array.of->element));
  node address = array.parts[0];
  std::vector<node> extents, strides;
  int axis = 0;
  for (const part &p : parts) {
    if (p.what == part::kind::new_axis) {
      extents.push_back(ctx.ir.size(1));
      strides.push_back(ctx.ir.size(0));
      continue;
    }
    const node length = extent(ctx, array, axis), step = stride(ctx, array, axis);
    if (p.what == part::kind::index) {
      address = ctx.ir.offset(address, ctx.ir.mul(checked_index(ctx, array, p.v, axis, at), step), bytes);
    } else if (!p.slice || (!p.slice->parts[0] && !p.slice->parts[1] && !p.slice->parts[2])) {
      extents.push_back(length);
      strides.push_back(step);
    } else {
      const auto given = [&](std::size_t k) { return p.slice->parts[k] && p.slice->parts[k]->what != kind::none; };
      std::int64_t by = 1;
      if (given(2)) by = constant_integer(ctx, evaluate(ctx, *p.slice->parts[2]), *p.slice->parts[2], "a slice's step");
      if (by == 0) fail(ctx, error_kind::value, *p.slice, "a slice's step must not be zero");
      // Clip to the axis, as Python's slice.indices does.
      const node zero = ctx.ir.size(0);
      const node least = by > 0 ? zero : ctx.ir.size(-1), most = by > 0 ? length : ctx.ir.add(length, ctx.ir.size(-1));
      const auto bound = [&](std::size_t k, node otherwise) {
        if (!given(k)) return otherwise;
        const value v = evaluate(ctx, *p.slice->parts[k]);
        node i = integer_node(ctx, v, *p.slice->parts[k], "a slice's bound");
        if (!v.nonnegative) i = ctx.ir.select(ctx.ir.compare(operation::slt, i, zero), ctx.ir.add(i, length), i);
        i = ctx.ir.select(ctx.ir.compare(operation::slt, i, least), least, i);
        return ctx.ir.select(ctx.ir.compare(operation::slt, most, i), most, i);
      };
      const node first = bound(0, by > 0 ? zero : most), last = bound(1, by > 0 ? length : ctx.ir.size(-1));
      const node distance =
          by > 0 ? ctx.ir.binary(operation::sub, last, first) : ctx.ir.binary(operation::sub, first, last);
      const std::int64_t size = std::abs(by);
      const node count = ctx.ir.binary(operation::sdiv, ctx.ir.add(distance, ctx.ir.size(size - 1)), ctx.ir.size(size));
      extents.push_back(ctx.ir.select(ctx.ir.compare(operation::slt, distance, ctx.ir.size(1)), zero, count));
      strides.push_back(ctx.ir.mul(step, ctx.ir.size(by)));
      address = ctx.ir.offset(address, ctx.ir.mul(first, step), bytes);
    }
    ++axis;
  }
  value result{.of = view_type(array.of, int(extents.size()), contiguous ? 'C' : 'A'), .parts = {address}};
  result.parts.insert(result.parts.end(), extents.begin(), extents.end());
  if (!contiguous) result.parts.insert(result.parts.end(), strides.begin(), strides.end());
  return result;
}

}  // namespace dpep::pykernel
