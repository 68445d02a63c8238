// Arrays: elements, rows, attributes.
#include "pykernel/translate/arrays.hpp"

#include <fmt/format.h>

#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/initialisation_checks.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

void check_bounds(translation &ctx, node wrapped, node extent, node given, int axis, const expression &at) {
  ctx.ir.branch(ctx.ir.negate(ctx.ir.compare(operation::ult, wrapped, extent)), [&] {
    emit_error_with(ctx, fmt::format("IndexError: index {{}} is out of range for axis {} of length {{}}", axis), given,
                    extent, at.at);
  });
}

}  // namespace

void check_tuple_index(translation &ctx, node index, std::int64_t length, const expression &at) {
  const node size = ctx.ir.size(length);
  check_bounds(ctx, ctx.ir.wrap(index, size), size, index, 0, at);
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
    fail(ctx, operand_error({v.of}), at,
         fmt::format("an element of type {} cannot be assigned {}", name_of(array.of->element), display_name(v.of)));
  const dtype t = array.of->element;
  const machine_type m = memory_type_of(t);
  const value x = convert(ctx, v, t, at);
  ++ctx.stores;
  ctx.ir.store(address, t == dtype::boolean ? ctx.ir.cast(operation::zext, m, x.parts[0]) : x.parts[0]);
  if (is_complex(t)) ctx.ir.store(ctx.ir.offset(address, ctx.ir.size(1), bits_of(m) / 8), x.parts[1]);
  mark_initialised(ctx, array.of, address);
}

value element_reference(const value &array, node address) {
  return {.of = view_type(array.of, 0, 'C'), .parts = {address}};
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
  const auto length = [&](node x) {
    value s = sized(x);
    s.is_short = v.of->index32;
    return s;
  };
  const auto bytes = std::int64_t(size_of(v.of->element));
  if (name == "shape") return list([&](int d) { return length(extent(ctx, v, d)); });
  if (name == "strides")
    return list([&](int d) {
      value s = sized(ctx.ir.mul(stride(ctx, v, d), ctx.ir.size(bytes)));
      s.nonnegative = v.of->layout != 'A';
      return s;
    });
  if (name == "size") return length(elements(ctx, v));
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

}  // namespace dpep::pykernel
