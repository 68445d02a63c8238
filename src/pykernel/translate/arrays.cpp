// Arrays: elements, views, attributes, private and local memory.
#include "pykernel/translate/arrays.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/calls.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/initialisation_checks.hpp"
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

void check_bounds(translation &ctx, node wrapped, node extent, node given, int axis, const expression &at) {
  ctx.ir.branch(ctx.ir.negate(ctx.ir.compare(operation::ult, wrapped, extent)), [&] {
    ctx.ir.line = at.at.line;
    ctx.ir.fail_index(given, extent, axis, ctx.source().file, ctx.source().name);
  });
}

node checked_index(translation &ctx, const value &array, const value &index, int axis, const expression &at) {
  const node i = integer_node(ctx, index, at, "an index"), size = extent(ctx, array, axis);
  const auto length = ctx.ir.known(size);
  if (const auto k = ctx.ir.known(i)) {
    if (length && (*k >= *length || *k < -*length))
      fail(ctx, error_kind::index, at,
           fmt::format("index {} is out of range for axis {} of length {}", *k, axis, *length));
    const node wrapped = *k < 0 ? ctx.ir.add(size, i) : i;
    if (ctx.request.check && !length) check_bounds(ctx, wrapped, size, i, axis, at);
    return wrapped;
  }
  if (ctx.request.check) {
    const node wrapped = index.nonnegative ? i : ctx.ir.wrap(i, size);
    check_bounds(ctx, wrapped, size, i, axis, at);
    return wrapped;
  }
  // 32-bit arithmetic where possible, since vectors of indices then have twice as many lanes. Mostly for loaded
  // indices, whose sign is rarely known.
  const dtype given = index.of->element;
  if (array.of->index32 && size_of(given) <= 4 && given != dtype::boolean) {
    const value word = convert(ctx, index, given == dtype::uint32 ? dtype::uint32 : dtype::int32, at);
    const node w = word.parts[0];
    return ctx.ir.cast(operation::sext, machine_type::i64,
                       index.nonnegative ? w : ctx.ir.wrap(w, ctx.ir.cast(operation::trunc, machine_type::i32, size)));
  }
  return index.nonnegative ? i : ctx.ir.wrap(i, size);
}

value element_or_subarray(translation &ctx, const value &array, const expression &index, const expression &at) {
  const value v = subarray(ctx, array, index, at);
  return v.of->dimensions == 0 ? load(ctx, v, v.parts[0]) : v;
}

}  // namespace

node extent(translation &ctx, const value &array, int axis) {
  const int fixed = array.of->fixed_last_extent;
  if (fixed && axis == array.of->dimensions - 1) return ctx.ir.size(fixed);
  if (!array.of->extents.empty()) return ctx.ir.size(array.of->extents[std::size_t(axis)]);
  return array.parts[1 + std::size_t(axis)];
}

node stride(translation &ctx, const value &array, int axis) {
  const int n = array.of->dimensions;
  if (array.of->layout == 'A') return array.parts[std::size_t(1 + n + axis)];
  node product = ctx.ir.size(1);
  if (array.of->layout == 'C')
    for (int d = n - 1; d > axis; --d) product = ctx.ir.mul(product, extent(ctx, array, d));
  else
    for (int d = 0; d < axis; ++d) product = ctx.ir.mul(product, extent(ctx, array, d));
  return product;
}

node elements(translation &ctx, const value &array) {
  node product = ctx.ir.size(1);
  for (int d = 0; d < array.of->dimensions; ++d) product = ctx.ir.mul(product, extent(ctx, array, d));
  return product;
}

node element_address(translation &ctx, const value &array, const std::vector<value> &indices, const expression &at) {
  const int n = array.of->dimensions;
  std::vector<node> checked;
  for (int d = 0; d < n; ++d) checked.push_back(checked_index(ctx, array, indices[std::size_t(d)], d, at));
  const auto bytes = std::int64_t(size_of(array.of->element));
  if (array.of->layout == 'A') {
    node address = array.parts[0];
    for (int d = 0; d < n; ++d)
      address = ctx.ir.offset(
          address, ctx.ir.binary(operation::mul, checked[std::size_t(d)], stride(ctx, array, d), true), bytes);
    return address;
  }
  // Contiguous: Horner's scheme over the axes, slowest first.
  node position = 0;
  for (int k = 0; k < n; ++k) {
    const int d = array.of->layout == 'C' ? k : n - 1 - k;
    const node i = checked[std::size_t(d)];
    position = k == 0 ? i
                      : ctx.ir.binary(operation::add,
                                      ctx.ir.binary(operation::mul, position, extent(ctx, array, d), true), i, true);
  }
  return n == 0 ? array.parts[0] : ctx.ir.offset(array.parts[0], position, bytes);
}

value load(translation &ctx, const value &array, node address) {
  const dtype t = array.of->element;
  const machine_type m = memory_type_of(t);
  check_initialised(ctx, array.of, address);
  if (is_complex(t)) {
    const node real = ctx.ir.load(m, address);
    value v{.of = scalar_type(t),
            .parts = {real, ctx.ir.load(m, ctx.ir.offset(address, ctx.ir.size(1), bits_of(m) / 8))}};
    return v;
  }
  const node n = ctx.ir.load(m, address);
  return scalar(ctx, t, t == dtype::boolean ? ctx.ir.compare(operation::ne, n, ctx.ir.integer(m, 0)) : n);
}

void store(translation &ctx, const value &array, node address, const value &v, const expression &at) {
  if (!array.of->writable)
    fail(ctx, error_kind::typing, at,
         fmt::format("{} cannot be written to: pass a writable array", display_name(array.of)));
  if (!is_scalar(v.of))
    fail(ctx, error_kind::typing, at,
         fmt::format("an element of type {} cannot be assigned {}", name_of(array.of->element), display_name(v.of)));
  const dtype t = array.of->element;
  const machine_type m = memory_type_of(t);
  const value x = convert(ctx, v, t, at);
  ctx.ir.store(address, t == dtype::boolean ? ctx.ir.cast(operation::zext, m, x.parts[0]) : x.parts[0]);
  if (is_complex(t)) ctx.ir.store(ctx.ir.offset(address, ctx.ir.size(1), bits_of(m) / 8), x.parts[1]);
  mark_initialised(ctx, array.of, address);
}

value element_reference(const value &array, node address) {
  return {.of = view_type(array.of, 0, 'C'), .parts = {address}};
}

value subscript(translation &ctx, const value &of, const expression &e) {
  const expression &index = *e.parts[1];
  if (is_array(of.of)) return element_or_subarray(ctx, of, index, e);
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
  fail(ctx, error_kind::typing, e,
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
          fail(ctx, error_kind::unsupported, *e, "kernels do not support indexing by arrays: write a loop");
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

node address_of(translation &ctx, const value &array, const std::vector<value> &indices, const expression &at) {
  const std::size_t n = array.of->dimensions;
  if (indices.size() > n)
    fail(ctx, error_kind::index, at, fmt::format("{} indices for an array of {} dimensions", indices.size(), n));
  if (indices.size() < n)
    fail(ctx, error_kind::unsupported, at,
         fmt::format("{} has {} dimensions and needs an index for each, got {}", source_text(ctx, at), n,
                     indices.size()));
  return element_address(ctx, array, indices, at);
}

value element_or_row(translation &ctx, const value &array, const value &index, const expression &at) {
  if (array.of->dimensions == 1) return load(ctx, array, element_address(ctx, array, {index}, at));
  const auto bytes = std::int64_t(size_of(array.of->element));
  const bool contiguous = array.of->layout == 'C';
  const int n = array.of->dimensions;
  value row{.of = view_type(array.of, n - 1, contiguous ? 'C' : 'A')};
  row.parts.push_back(ctx.ir.offset(
      array.parts[0], ctx.ir.mul(integer_node(ctx, index, at, "an index"), stride(ctx, array, 0)), bytes));
  for (int d = 1; d < n; ++d) row.parts.push_back(extent(ctx, array, d));
  if (!contiguous)
    for (int d = 1; d < n; ++d) row.parts.push_back(stride(ctx, array, d));
  return row;
}

value array_attribute(translation &ctx, const value &v, const std::string &name, const expression &at) {
  const int n = v.of->dimensions;
  const auto list = [&](auto each) {
    std::vector<value> members;
    for (int d = 0; d < n; ++d) members.push_back(each(d));
    return tuple(std::move(members));
  };
  const auto sized = [&](node x) {
    value s = size_value(ctx, x);
    s.known = ctx.ir.known(x);
    return s;
  };
  const auto bytes = std::int64_t(size_of(v.of->element));
  if (name == "shape") return list([&](int d) { return sized(extent(ctx, v, d)); });
  if (name == "strides")
    return list([&](int d) {
      value s = sized(ctx.ir.mul(stride(ctx, v, d), ctx.ir.size(bytes)));
      s.nonnegative = v.of->layout != 'A';
      return s;
    });
  if (name == "size") return sized(elements(ctx, v));
  if (name == "ndim") return integer(ctx, n);
  if (name == "itemsize") return integer(ctx, bytes);
  if (name == "nbytes") return sized(ctx.ir.mul(elements(ctx, v), ctx.ir.size(bytes)));
  if (name == "dtype") return object({.what = entity::kind::data_type, .weak = false, .element = v.of->element});
  if (name == "_array_obj") return v;  // the dpctl array of a dpnp array
  if (name == "T") {
    const char layout = v.of->layout == 'C' ? 'F' : v.of->layout == 'F' ? 'C' : 'A';
    value t{.of = view_type(v.of, n, n < 2 ? v.of->layout : layout), .parts = {v.parts[0]}};
    for (int d = n; d-- > 0;) t.parts.push_back(extent(ctx, v, d));
    if (t.of->layout == 'A')
      for (int d = n; d-- > 0;) t.parts.push_back(stride(ctx, v, d));
    return t;
  }
  fail(ctx, error_kind::name, at,
       fmt::format("arrays have no attribute '{}' in kernels: shape, size, ndim, strides, dtype, T, "
                   "itemsize and nbytes are available",
                   name));
}

std::vector<std::int64_t> constant_shape(translation &ctx, const value &v, const expression &at,
                                         const std::string &what) {
  std::vector<std::int64_t> shape;
  if (is_tuple(v.of))
    for (const value &m : v.members) shape.push_back(constant_integer(ctx, m, at, what));
  else
    shape.push_back(constant_integer(ctx, v, at, what));
  for (const std::int64_t length : shape)
    if (length < 0) fail(ctx, error_kind::value, at, fmt::format("{} must not be negative", what));
  return shape;
}

namespace {

std::int64_t count_of(const std::vector<std::int64_t> &shape) {
  std::int64_t n = 1;
  for (std::int64_t length : shape) n *= length;
  return n;
}

}  // namespace

value private_array(translation &ctx, const std::vector<std::int64_t> &shape, dtype t, bool zeroed) {
  const std::int64_t count = count_of(shape) * parts_of(t);
  const bool shadowed = ctx.request.check && !zeroed;
  value v{.of = array_with_extents(array_type(t, int(shape.size()), 'C', address_space::private_space), shape),
          .parts = {ctx.ir.private_memory(memory_type_of(t), shadowed ? 2 * count : count, zeroed || shadowed)}};
  if (shadowed) v.of = array_with_shadow(v.of, count * bits_of(memory_type_of(t)) / 8);
  for (std::int64_t length : shape) v.parts.push_back(ctx.ir.size(length));
  return v;
}

value local_array(translation &ctx, const std::vector<std::int64_t> &shape, dtype t, const expression &at) {
  if (!ctx.request.grouped)
    fail(ctx, error_kind::unsupported, at, "local memory needs work-groups: launch the kernel over an NdRange");
  const type plain = array_with_extents(array_type(t, int(shape.size()), 'C', address_space::local_space), shape);
  ctx.local_arrays.push_back(ctx.request.check ? array_with_shadow(plain, local_shadow_offset(plain)) : plain);
  return local_array(ctx, ctx.local_arrays.size());
}

value local_array(translation &ctx, std::size_t number) {
  const type t = ctx.local_arrays[number - 1];
  const node bytes = ctx.ir.size(t->shadow ? 2 * t->shadow : count_of(t->extents) * std::int64_t(size_of(t->element)));
  value v{.of = t,
          .parts = {ctx.ir.call(machine_type::pointer, "__dpep_static_local_memory",
                                {bytes, ctx.ir.size(64), ctx.ir.size(std::int64_t(number))})}};
  for (std::int64_t length : t->extents) v.parts.push_back(ctx.ir.size(length));
  return v;
}

}  // namespace dpep::pykernel
