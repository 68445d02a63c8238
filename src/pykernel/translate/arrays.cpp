// Arrays: elements, views, attributes, private and local memory.
#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

using kind = expression::kind;

machine memory_type(dtype t) { return t == dtype::boolean ? machine::i8 : machine_of(t); }

/// The parts of an index, which a tuple has several of.
std::vector<const expression *> index_parts(const expression &index) {
  std::vector<const expression *> list;
  if (index.what == kind::tuple)
    for (const expression_pointer &p : index.parts) list.push_back(p.get());
  else
    list.push_back(&index);
  return list;
}

}  // namespace

node translator::stride(const value &array, int axis) {
  const int n = array.of->dimensions;
  if (array.of->layout == 'A') return array.parts[std::size_t(1 + n + axis)];
  node product = b.size(1);
  if (array.of->layout == 'C')
    for (int d = n - 1; d > axis; --d) product = b.mul(product, extent(array, d));
  else
    for (int d = 0; d < axis; ++d) product = b.mul(product, extent(array, d));
  return product;
}

node translator::elements(const value &array) {
  node product = b.size(1);
  for (int d = 0; d < array.of->dimensions; ++d) product = b.mul(product, extent(array, d));
  return product;
}

node translator::checked_index(const value &array, const value &index, int axis, const expression &at) {
  const node i = integer_node(index, at, "an index"), extent = this->extent(array, axis);
  const auto length = b.known(extent);
  if (const auto k = b.known(i)) {
    if (length && (*k >= *length || *k < -*length))
      fail(mistake::index, at, fmt::format("index {} is out of range for axis {} of length {}", *k, axis, *length));
    const node wrapped = *k < 0 ? b.add(extent, i) : i;
    if (asked.check && !length) check_index(wrapped, extent, i, axis, at);
    return wrapped;
  }
  if (asked.check) {
    const node wrapped = index.natural ? i : b.wrap(i, extent);
    check_index(wrapped, extent, i, axis, at);
    return wrapped;
  }
  // In 32 bits where that does, for vectors of indices have twice as many lanes. What is loaded rarely has a known
  // sign.
  const dtype given = index.of->element;
  if (array.of->narrow && size_of(given) <= 4 && given != dtype::boolean) {
    const value word = convert(index, given == dtype::uint32 ? dtype::uint32 : dtype::int32, at);
    const node w = word.parts[0];
    return b.cast(operation::sext, machine::i64,
                  index.natural ? w : b.wrap(w, b.cast(operation::trunc, machine::i32, extent)));
  }
  return index.natural ? i : b.wrap(i, extent);
}

void translator::check_index(node wrapped, node extent, node given, int axis, const expression &at) {
  b.branch(b.negate(b.compare(operation::ult, wrapped, extent)), [&] {
    b.line = at.at.line;
    b.fail_index(given, extent, axis, source().file, source().name);
  });
}

node translator::element_address(const value &array, const std::vector<value> &indices, const expression &at) {
  const int n = array.of->dimensions;
  std::vector<node> checked;
  for (int d = 0; d < n; ++d) checked.push_back(checked_index(array, indices[std::size_t(d)], d, at));
  const auto bytes = std::int64_t(size_of(array.of->element));
  if (array.of->layout == 'A') {
    node address = array.parts[0];
    for (int d = 0; d < n; ++d)
      address = b.offset(address, b.binary(operation::mul, checked[std::size_t(d)], stride(array, d), true), bytes);
    return address;
  }
  // contiguous: Horner's scheme over the axes, slowest first
  node position = 0;
  for (int k = 0; k < n; ++k) {
    const int d = array.of->layout == 'C' ? k : n - 1 - k;
    const node i = checked[std::size_t(d)];
    position =
        k == 0 ? i : b.binary(operation::add, b.binary(operation::mul, position, extent(array, d), true), i, true);
  }
  return n == 0 ? array.parts[0] : b.offset(array.parts[0], position, bytes);
}

value translator::load(const value &array, node address) {
  const dtype t = array.of->element;
  const machine m = memory_type(t);
  check_written(array.of, address);
  if (is_complex(t)) {
    const node real = b.load(m, address);
    value v{.of = scalar_type(t), .parts = {real, b.load(m, b.offset(address, b.size(1), bits_of(m) / 8))}};
    return v;
  }
  const node n = b.load(m, address);
  return scalar(t, t == dtype::boolean ? b.compare(operation::ne, n, b.integer(m, 0)) : n);
}

void translator::store(const value &array, node address, const value &v, const expression &at) {
  if (!array.of->writable) fail(mistake::typing, at, fmt::format("{} is written to", described(array.of)));
  if (!is_scalar(v.of))
    fail(mistake::typing, at,
         fmt::format("an element of type {} cannot be {}", name_of(array.of->element), described(v.of)));
  const dtype t = array.of->element;
  const machine m = memory_type(t);
  const value x = convert(v, t, at);
  b.store(address, t == dtype::boolean ? b.cast(operation::zext, m, x.parts[0]) : x.parts[0]);
  if (is_complex(t)) b.store(b.offset(address, b.size(1), bits_of(m) / 8), x.parts[1]);
  mark_written(array.of, address);
}

value translator::place_of_element(const value &array, node address) {
  return {.of = view_type(array.of, 0, 'C'), .parts = {address}};
}

value translator::subscript(const value &of, const expression &e) {
  const expression &index = *e.parts[1];
  if (is_array(of.of)) return view(of, index, e);
  if (of.of->what == type_facts::kind::tuple) {
    const auto length = std::int64_t(of.members.size());
    if (index.what == kind::slice) {
      const auto bound = [&](const expression_pointer &p, std::int64_t otherwise) {
        if (!p || p->what == kind::none) return otherwise;
        std::int64_t k = known_integer(evaluate(*p), *p, "a tuple's slice");
        if (k < 0) k += length;
        return std::clamp<std::int64_t>(k, 0, length);
      };
      if (index.parts[2]) fail(mistake::unsupported, e, "slices of tuples have no step");
      const std::int64_t first = bound(index.parts[0], 0), last = bound(index.parts[1], length);
      std::vector<value> members;
      for (std::int64_t i = first; i < last; ++i) members.push_back(of.members[std::size_t(i)]);
      return tuple(std::move(members));
    }
    const value i = evaluate(index);
    const node n = integer_node(i, index, "an index");
    if (i.known || b.known(n)) {
      const std::int64_t k = i.known.value_or(b.known(n).value_or(0));
      if (k >= length || k < -length)
        fail(mistake::index, e, fmt::format("index {} is out of range for a tuple of length {}", k, length));
      return of.members[std::size_t(k < 0 ? k + length : k)];
    }
    // an index that is only known when the kernel runs: one of members of one type
    if (of.members.empty()) fail(mistake::index, e, "the tuple is empty");
    type common = of.members[0].of;
    for (const value &m : of.members) {
      common = unify(common, m.of);
      if (!common)
        fail(mistake::typing, e,
             fmt::format("{} is indexed by a variable: its members must be of one type", described(of.of)));
    }
    std::vector<node> parts;  // of members that are tuples, too
    append_parts(convert(of.members[0], common, e), parts);
    bool natural = of.members[0].natural;
    for (std::int64_t k = 1; k < length; ++k) {
      const node here_it_is = b.binary(operation::bit_or, b.compare(operation::eq, n, b.size(k)),
                                       b.compare(operation::eq, n, b.size(k - length)));
      const value m = convert(of.members[std::size_t(k)], common, e);
      natural = natural && m.natural;
      std::vector<node> others;
      append_parts(m, others);
      for (std::size_t p = 0; p < parts.size(); ++p) parts[p] = b.select(here_it_is, others[p], parts[p]);
    }
    const node *first = parts.data();
    value result = value_of(common, first);
    result.natural = natural;
    return result;
  }
  fail(mistake::typing, e,
       fmt::format("{} is {}, which cannot be indexed{}", text_of(*e.parts[0]), described(of.of),
                   is_item(of.of) ? launched_with() : ""));
}

value translator::view(const value &array, const expression &index, const expression &at) {
  const value v = selection(array, index, at);
  return v.of->dimensions == 0 ? load(v, v.parts[0]) : v;
}

value translator::selection(const value &array, const expression &index, const expression &at) {
  // evaluate once; tuples that are values (not written out) are taken apart, too
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
      if (ellipsis != SIZE_MAX) fail(mistake::index, *e, "an index has one ellipsis (...)");
      ellipsis = parts.size();
    } else if (e->what == kind::slice) {
      parts.push_back({part::kind::slice, {}, e});
      ++axes_used;
    } else if (e->what == kind::none) {
      parts.push_back({part::kind::new_axis, {}});
    } else {
      const value v = evaluate(*e);
      if (is_tuple(v.of)) {
        for (const value &m : v.members) parts.push_back({part::kind::index, m}), ++axes_used;
      } else if (v.of->what == type_facts::kind::none) {
        parts.push_back({part::kind::new_axis, {}});
      } else {
        if (is_array(v.of)) fail(mistake::unsupported, *e, "kernels do not index by arrays: write a loop");
        parts.push_back({part::kind::index, v});
        ++axes_used;
      }
    }
  }
  if (axes_used > n) fail(mistake::index, at, fmt::format("{} indices for an array of {} dimensions", axes_used, n));
  const bool only_indices = std::ranges::all_of(parts, [](const part &p) { return p.what == part::kind::index; });
  if (only_indices && axes_used == n) {
    std::vector<value> indices;
    for (part &p : parts) indices.push_back(std::move(p.v));
    return place_of_element(array, element_address(array, indices, at));
  }
  const std::size_t missing = std::size_t(n - axes_used);
  const std::size_t insert_at = ellipsis == SIZE_MAX ? parts.size() : ellipsis;
  for (std::size_t i = 0; i < missing; ++i)
    parts.insert(parts.begin() + std::ptrdiff_t(insert_at), part{part::kind::slice, {}, nullptr});

  // leading indices of a C-contiguous array leave a C-contiguous one
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
      extents.push_back(b.size(1));
      strides.push_back(b.size(0));
      continue;
    }
    const node length = extent(array, axis), step = stride(array, axis);
    if (p.what == part::kind::index) {
      address = b.offset(address, b.mul(checked_index(array, p.v, axis, at), step), bytes);
    } else if (!p.slice || (!p.slice->parts[0] && !p.slice->parts[1] && !p.slice->parts[2])) {
      extents.push_back(length);
      strides.push_back(step);
    } else {
      const auto given = [&](std::size_t k) { return p.slice->parts[k] && p.slice->parts[k]->what != kind::none; };
      std::int64_t by = 1;
      if (given(2)) by = known_integer(evaluate(*p.slice->parts[2]), *p.slice->parts[2], "a slice's step");
      if (by == 0) fail(mistake::value, *p.slice, "a slice's step must not be zero");
      // cut to the axis as Python's slice.indices does
      const node zero = b.size(0);
      const node least = by > 0 ? zero : b.size(-1), most = by > 0 ? length : b.add(length, b.size(-1));
      const auto bound = [&](std::size_t k, node otherwise) {
        if (!given(k)) return otherwise;
        const value v = evaluate(*p.slice->parts[k]);
        node i = integer_node(v, *p.slice->parts[k], "a slice's bound");
        if (!v.natural) i = b.select(b.compare(operation::slt, i, zero), b.add(i, length), i);
        i = b.select(b.compare(operation::slt, i, least), least, i);
        return b.select(b.compare(operation::slt, most, i), most, i);
      };
      const node first = bound(0, by > 0 ? zero : most), last = bound(1, by > 0 ? length : b.size(-1));
      const node distance = by > 0 ? b.binary(operation::sub, last, first) : b.binary(operation::sub, first, last);
      const std::int64_t size = std::abs(by);
      const node count = b.binary(operation::sdiv, b.add(distance, b.size(size - 1)), b.size(size));
      extents.push_back(b.select(b.compare(operation::slt, distance, b.size(1)), zero, count));
      strides.push_back(b.mul(step, b.size(by)));
      address = b.offset(address, b.mul(first, step), bytes);
    }
    ++axis;
  }
  value result{.of = view_type(array.of, int(extents.size()), contiguous ? 'C' : 'A'), .parts = {address}};
  result.parts.insert(result.parts.end(), extents.begin(), extents.end());
  if (!contiguous) result.parts.insert(result.parts.end(), strides.begin(), strides.end());
  return result;
}

node translator::address_of(const value &array, const std::vector<value> &indices, const expression &at) {
  const std::size_t n = array.of->dimensions;
  if (indices.size() > n)
    fail(mistake::index, at, fmt::format("{} indices for an array of {} dimensions", indices.size(), n));
  if (indices.size() < n)
    fail(mistake::unsupported, at,
         fmt::format("{} of {} dimensions takes as many indices, got {}: kernels assign to elements", text_of(at), n,
                     indices.size()));
  return element_address(array, indices, at);
}

value translator::element_or_row(const value &array, const value &index, const expression &at) {
  if (array.of->dimensions == 1) return load(array, element_address(array, {index}, at));
  const auto bytes = std::int64_t(size_of(array.of->element));
  const bool contiguous = array.of->layout == 'C';
  const int n = array.of->dimensions;
  value row{.of = view_type(array.of, n - 1, contiguous ? 'C' : 'A')};
  row.parts.push_back(b.offset(array.parts[0], b.mul(integer_node(index, at, "an index"), stride(array, 0)), bytes));
  for (int d = 1; d < n; ++d) row.parts.push_back(extent(array, d));
  if (!contiguous)
    for (int d = 1; d < n; ++d) row.parts.push_back(stride(array, d));
  return row;
}

value translator::array_attribute(const value &v, const std::string &name, const expression &at) {
  const int n = v.of->dimensions;
  const auto list = [&](auto each) {
    std::vector<value> members;
    for (int d = 0; d < n; ++d) members.push_back(each(d));
    return tuple(std::move(members));
  };
  const auto sized = [&](node x) {
    value s = size_value(x);
    s.known = b.known(x);
    return s;
  };
  const auto bytes = std::int64_t(size_of(v.of->element));
  if (name == "shape") return list([&](int d) { return sized(extent(v, d)); });
  if (name == "strides")
    return list([&](int d) {
      value s = sized(b.mul(stride(v, d), b.size(bytes)));
      s.natural = v.of->layout != 'A';
      return s;
    });
  if (name == "size") return sized(elements(v));
  if (name == "ndim") return integer(n);
  if (name == "itemsize") return integer(bytes);
  if (name == "nbytes") return sized(b.mul(elements(v), b.size(bytes)));
  if (name == "dtype") return object({.what = entity::kind::data_type, .weak = false, .element = v.of->element});
  if (name == "_array_obj") return v;  // dpnp's arrays as dpctl's
  if (name == "T") {
    const char layout = v.of->layout == 'C' ? 'F' : v.of->layout == 'F' ? 'C' : 'A';
    value t{.of = view_type(v.of, n, n < 2 ? v.of->layout : layout), .parts = {v.parts[0]}};
    for (int d = n; d-- > 0;) t.parts.push_back(extent(v, d));
    if (t.of->layout == 'A')
      for (int d = n; d-- > 0;) t.parts.push_back(stride(v, d));
    return t;
  }
  fail(mistake::name, at,
       fmt::format("arrays have no attribute '{}' in kernels: shape, size, ndim, strides, dtype, T, "
                   "itemsize and nbytes are there",
                   name));
}

std::vector<std::int64_t> translator::known_shape(const value &v, const expression &at, const std::string &what) {
  std::vector<std::int64_t> shape;
  if (is_tuple(v.of))
    for (const value &m : v.members) shape.push_back(known_integer(m, at, what));
  else
    shape.push_back(known_integer(v, at, what));
  for (const std::int64_t length : shape)
    if (length < 0) fail(mistake::value, at, fmt::format("{} must not be negative", what));
  return shape;
}

namespace {

std::int64_t count_of(const std::vector<std::int64_t> &shape) {
  std::int64_t n = 1;
  for (std::int64_t length : shape) n *= length;
  return n;
}

}  // namespace

value translator::private_array(const std::vector<std::int64_t> &shape, dtype t, bool zeroed) {
  const std::int64_t count = count_of(shape) * parts_of(t);
  const bool shadowed = asked.check && !zeroed;
  value v{.of = array_with_extents(array_type(t, int(shape.size()), 'C', memory::work_item), shape),
          .parts = {b.private_memory(memory_type(t), shadowed ? 2 * count : count, zeroed || shadowed)}};
  if (shadowed) v.of = array_with_shadow(v.of, count * bits_of(memory_type(t)) / 8);
  for (std::int64_t length : shape) v.parts.push_back(b.size(length));
  return v;
}

value translator::local_array(const std::vector<std::int64_t> &shape, dtype t, const expression &at) {
  if (!asked.grouped)
    fail(mistake::unsupported, at, "local memory belongs to work-groups: launch the kernel over an NdRange");
  const type plain = array_with_extents(array_type(t, int(shape.size()), 'C', memory::local), shape);
  local_arrays_.push_back(asked.check ? array_with_shadow(plain, local_shadow(plain)) : plain);
  return local_array(local_arrays_.size());
}

value translator::local_array(std::size_t number) {
  const type t = local_arrays_[number - 1];
  const node bytes = b.size(t->shadow ? 2 * t->shadow : count_of(t->extents) * std::int64_t(size_of(t->element)));
  value v{.of = t,
          .parts = {b.call(machine::address, "__dpep_static_local_memory",
                           {bytes, b.size(64), b.size(std::int64_t(number))})}};
  for (std::int64_t length : t->extents) v.parts.push_back(b.size(length));
  return v;
}

}  // namespace dpep::pykernel
