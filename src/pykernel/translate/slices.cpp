// Assignment of numbers, tuples and arrays to elements and slices.
#include "pykernel/translate/slices.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/translate/arguments.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_expressions.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/expressions.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/subscripts.hpp"

namespace dpep::pykernel {
namespace {

/// Emits a check that an axis can be assigned to one of a slice: it has as many elements, or a known length of 1.
void require_assignable(translation &ctx, node given, node wanted, int axis, const expression &at) {
  const auto known = ctx.ir.known(given), known_wanted = ctx.ir.known(wanted);
  if (known == 1 || (known && known == known_wanted)) return;
  if (known && known_wanted)
    fail(ctx, error_kind::value, at,
         fmt::format("axis {} of length {} cannot be assigned to a length of {}", axis, *known, *known_wanted));
  ctx.ir.branch(ctx.ir.compare(operation::ne, given, wanted), [&] {
    emit_error_with(
        ctx,
        fmt::format("ValueError: shapes do not match: axis {} of length {{}} is assigned to a length of {{}}", axis),
        given, wanted, at.at);
  });
}

/// Refuses an operator of arrays in place whose result NumPy's casting rule "same_kind" does not convert back.
void check_cast_in_place(translation &ctx, const value &array, const value &change, std::string_view op,
                         const expression &at) {
  if (is_tuple(change.of)) {
    for (const value &member : change.members) check_cast_in_place(ctx, array, member, op, at);
    return;
  }
  if (!is_scalar(change.of) && !is_whole_array(change)) return;  // an error that is reported later
  const auto rank = [](dtype t) {
    constexpr dtype_kind order[] = {dtype_kind::boolean, dtype_kind::unsigned_integer, dtype_kind::signed_integer,
                                    dtype_kind::real, dtype_kind::complex};
    return std::ranges::find(order, kind_of(t)) - std::begin(order);
  };
  const dtype t = array.of->element;
  const type result = promote(scalar_type(t), is_scalar(change.of) ? change.of : scalar_type(change.of->element));
  const bool divides = op == "/" && !is_real(result->element) && !is_complex(result->element);
  if (rank(divides ? dtype::float64 : result->element) > rank(t))
    fail(ctx, error_kind::whole_array, at,
         divides ? fmt::format("{} cannot be divided in place: the quotients are floats", display_name(array.of))
                 : fmt::format("{} cannot be changed in place by {}, a wider kind of number", display_name(array.of),
                               display_name(change.of)));
}

/// Changes an element atomically. Returns false for operators and elements that have no atomic operation.
bool update_atomically(translation &ctx, const value &element, std::string_view op, const value &change,
                       const expression &at) {
  const dtype t = element.of->element;
  if (element.of->space == address_space::private_space || t == dtype::boolean || !is_scalar(change.of)) return false;
  const bool adds = op == "+" || op == "-", floating = is_real(t) || is_complex(t);
  if (!adds && (floating || (op != "&" && op != "|" && op != "^"))) return false;
  if (is_integer(t) && (is_real(change.of->element) || is_complex(change.of->element))) {
    // The sum is computed in floating point, and converted: the order of several matters.
    if (ctx.request.loop && ctx.request.loop->shares_iterations)
      fail(ctx, error_kind::unsupported, at, "the order of updates of integers by floats is given");
    const std::uint32_t seen = ctx.ir.variable(machine_type_of(t), "seen");
    ctx.ir.set(seen, load(ctx, element, element.parts[0]).parts[0]);
    ctx.ir.loop(
        [&] {
          const node old = ctx.ir.get(seen);
          const value next = convert(ctx, binary(ctx, op, scalar(ctx, t, old), change, at), t, at);
          const node found = ctx.ir.compare_exchange(element.parts[0], old, next.parts[0], {});
          ctx.ir.set(seen, found);
          return ctx.ir.compare(operation::ne, found, old);
        },
        [] {});
    return true;
  }
  const std::string what = op == "+" ? "add" : op == "-" ? "sub" : op == "&" ? "and" : op == "|" ? "or" : "xor";
  const value v = convert(ctx, change, t, at);
  for (std::size_t part = 0; part < v.parts.size(); ++part)
    ctx.ir.atomic((floating ? "f" : "") + what, machine_type_of(t),
                  ctx.ir.offset(element.parts[0], ctx.ir.size(std::int64_t(part)), bits_of(machine_type_of(t)) / 8),
                  v.parts[part], {});
  return true;
}

/// Assigns to an element, or changes it with an operator.
void store_element(translation &ctx, const value &to, node address, const value &v, std::string_view op,
                   const expression &at, bool shared) {
  if (shared && update_atomically(ctx, element_reference(to, address), op, v, at)) return;
  store(ctx, to, address, op.empty() ? v : binary(ctx, op, load(ctx, to, address), v, at), at);
}

/// Copies a number, or an array that is broadcast along the first axes of `to`.
void copy_elements(translation &ctx, const value &to, const value &from, std::string_view op, const expression &at,
                   bool backwards, bool shared) {
  if (to.of->dimensions == 0) {
    const value v = is_array(from.of) ? load(ctx, from, from.parts[0]) : from;
    return store_element(ctx, to, to.parts[0], v, op, at, shared);
  }
  const bool own_axis = is_array(from.of) && from.of->dimensions == to.of->dimensions;
  const bool repeated = own_axis && ctx.ir.known(extent(ctx, from, 0)) == 1;
  const auto part = [&](const value &array, const value &i) {
    return array.of->dimensions == 1 ? element_reference(array, element_address(ctx, array, {i}, at))
                                     : element_or_row(ctx, array, i, at);
  };
  const value length = size_value(ctx, extent(ctx, to, 0));
  loop_over_range(
      ctx,
      [&](const value &counted) {
        value i = counted;
        if (backwards)
          i = size_value(ctx,
                         ctx.ir.binary(operation::sub, ctx.ir.add(length.parts[0], ctx.ir.size(-1)), counted.parts[0]));
        copy_elements(ctx, part(to, i), own_axis ? part(from, repeated ? integer(ctx, 0) : i) : from, op, at, backwards,
                      shared);
      },
      integer(ctx, 0), length, integer(ctx, 1), at);
}

/// Whether two arrays have elements at the same addresses, without being the same view.
node overlap(translation &ctx, const value &x, const value &y) {
  const auto range_of = [&](const value &v) {
    node first = ctx.ir.cast(operation::bits, machine_type::i64, v.parts[0]), last = first;
    const node bytes = ctx.ir.size(std::int64_t(size_of(v.of->element)));
    for (int d = 0; d < v.of->dimensions; ++d) {
      const node reach =
          ctx.ir.mul(ctx.ir.mul(ctx.ir.add(extent(ctx, v, d), ctx.ir.size(-1)), stride(ctx, v, d)), bytes);
      const node backwards = ctx.ir.compare(operation::slt, reach, ctx.ir.size(0));
      first = ctx.ir.add(first, ctx.ir.select(backwards, reach, ctx.ir.size(0)));
      last = ctx.ir.add(last, ctx.ir.select(backwards, ctx.ir.size(0), reach));
    }
    return std::pair(first, ctx.ir.add(last, bytes));
  };
  const auto [first, last] = range_of(x);
  const auto [other_first, other_last] = range_of(y);
  node meets = ctx.ir.binary(operation::bit_and, ctx.ir.compare(operation::ult, first, other_last),
                             ctx.ir.compare(operation::ult, other_first, last));
  if (x.of->dimensions == y.of->dimensions && x.of->element == y.of->element) {
    node same = ctx.ir.compare(operation::eq, x.parts[0], y.parts[0]);
    for (int d = 0; d < x.of->dimensions; ++d)
      same =
          ctx.ir.binary(operation::bit_and, same, ctx.ir.compare(operation::eq, stride(ctx, x, d), stride(ctx, y, d)));
    meets = ctx.ir.binary(operation::bit_and, meets, ctx.ir.negate(same));
  }
  return meets;
}

/// The parts of a subscript's index, from its source text; empty if the text is no subscript in one line.
std::vector<std::string_view> index_parts(std::string_view written) {
  const std::size_t open = written.find('[');
  if (open == written.npos || !written.ends_with(']')) return {};
  std::vector<std::string_view> parts{written.substr(0, open)};
  int depth = 0;
  std::size_t start = open + 1;
  for (std::size_t i = start; i < written.size(); ++i) {
    const char c = written[i];
    if (c == '(' || c == '[') ++depth;
    const bool ends = i + 1 == written.size();
    if ((c == ',' && depth == 0) || ends) {
      parts.push_back(written.substr(start, i - start));
      start = i + 1;
    }
    if ((c == ')' || c == ']') && --depth < 0 && !ends) return {};  // a subscript of a subscript
  }
  return parts;
}

/// Whether two views of an array are of the same elements at the same places, or have none in common: their slices are
/// written alike, and the other indices select rows.
bool same_or_disjoint(const value &x, const value &y) {
  if (x.of->dimensions != y.of->dimensions) return false;
  const auto a = index_parts(x.written), b = index_parts(y.written);
  if (a.size() < 2 || a.size() != b.size() || a[0] != b[0]) return false;
  for (std::size_t i = 1; i < a.size(); ++i) {
    const auto is_slice = [](std::string_view part) { return part.find_first_of(":.") != part.npos; };
    if ((is_slice(a[i]) || is_slice(b[i])) && a[i] != b[i]) return false;
  }
  return true;
}

/// Computes each element of an expression, and stores it at once. NumPy computes the expression before.
void store_expression(translation &ctx, const value &to, const value &v, std::string_view op, const expression &at,
                      bool shared) {
  if (v.of->dimensions > to.of->dimensions)
    fail(ctx, error_kind::value, at,
         fmt::format("{} cannot be assigned to {}: it has more dimensions", display_name(v.of), display_name(to.of)));
  for (const value &read : v.lazy->reads) {
    if (read.of->space != to.of->space) continue;
    if (read.origin == to.origin && read.written == to.written) continue;  // the element itself
    if (read.origin == to.origin && v.of->dimensions == to.of->dimensions && same_or_disjoint(to, read)) continue;
    if (read.origin == to.origin)
      fail(ctx, error_kind::whole_array, at,
           fmt::format("elements of '{}' are assigned from other elements of it", to.origin));
    ctx.ir.branch(overlap(ctx, to, read), [&] {
      emit_error(ctx, "ValueError: an expression is assigned to memory that it reads; copy the array first", at.at);
    });
  }
  const int missing = to.of->dimensions - v.of->dimensions;
  for (int d = 0; d < v.of->dimensions; ++d)
    require_assignable(ctx, length_of(ctx, v, d), extent(ctx, to, missing + d), d, at);
  for_each_element(
      ctx, to,
      [&](const std::vector<value> &indices) {
        std::vector<value> own(indices.begin() + missing, indices.end());
        for (int d = 0; d < v.of->dimensions; ++d)
          if (ctx.ir.known(length_of(ctx, v, d)) == 1) own[std::size_t(d)] = integer(ctx, 0);
        const node address = element_address(ctx, to, indices, at);
        const value element = element_of(ctx, v, own, at);
        store_element(ctx, to, address, element, op, at, shared);
      },
      at);
}

}  // namespace

void store_subscript(translation &ctx, const expression &target, const std::function<value()> &what,
                     std::string_view op, const expression &at, bool shared) {
  const value of = evaluate(ctx, *target.parts[0]);
  if (!is_array(of.of))
    fail(ctx,
         of.lazy || names_array_without_axes(ctx, of, *target.parts[1]) ? error_kind::whole_array : error_kind::typing,
         target,
         fmt::format("{} is {}, whose elements cannot be assigned to{}", source_text(ctx, *target.parts[0]),
                     display_name(of.of),
                     is_tuple(of.of)  ? ": tuples are constant"
                     : is_item(of.of) ? launch_hint(ctx)
                     : of.lazy        ? ": create it with empty(), and assign the expression to its elements"
                                      : ""));
  if (!of.of->writable)
    fail(ctx, error_kind::typing, target,
         fmt::format("{} is {}, and the kernel writes to it: pass an array that can be written to",
                     source_text(ctx, *target.parts[0]), display_name(of.of)));
  const value to = subarray(ctx, of, *target.parts[1], target);
  shared = shared && !of.of_iteration;
  if (to.of->dimensions == 0) {
    const value old = op.empty() || shared ? value() : load(ctx, to, to.parts[0]), v = what();
    ctx.ir.line = target.at.line;
    if (shared) {
      if (update_atomically(ctx, to, op, v, at)) return;
      return store(ctx, to, to.parts[0], binary(ctx, op, load(ctx, to, to.parts[0]), v, at), at);
    }
    return store(ctx, to, to.parts[0], op.empty() ? v : binary(ctx, op, old, v, at), at);
  }
  value named = to;
  named.origin = of.origin;
  named.written = source_text(ctx, target);
  const value v = what();
  ctx.ir.line = target.at.line;
  store_elements(ctx, named, v, op, at, shared);
}

void store_elements(translation &ctx, const value &to, const value &v, std::string_view op, const expression &at,
                    bool shared) {
  if (!op.empty()) check_cast_in_place(ctx, to, v, op, at);
  if (v.lazy) return store_expression(ctx, to, v, op, at, shared);
  if (is_tuple(v.of)) {
    const auto length = std::int64_t(v.members.size());
    if (to.of->dimensions != 1 || ctx.ir.known(extent(ctx, to, 0)).value_or(length) != length)
      fail(ctx, error_kind::value, at,
           fmt::format("a tuple of {} numbers cannot be assigned to {}: the lengths must be equal", length,
                       display_name(to.of)));
    ctx.ir.branch(ctx.ir.compare(operation::ne, extent(ctx, to, 0), ctx.ir.size(length)), [&] {
      emit_error_with(ctx, "ValueError: shapes do not match: a tuple of {} numbers is assigned to a length of {}",
                      ctx.ir.size(length), extent(ctx, to, 0), at.at);
    });
    for (std::int64_t i = 0; i < length; ++i) {
      const node address = element_address(ctx, to, {integer(ctx, i)}, at);
      store_element(ctx, to, address, v.members[std::size_t(i)], op, at, shared);
    }
    return;
  }
  if (!is_array(v.of))
    return copy_elements(ctx, to, op.empty() ? convert(ctx, v, to.of->element, at) : v, op, at, false, shared);
  if (v.of->dimensions > to.of->dimensions)
    fail(ctx, error_kind::value, at,
         fmt::format("{} cannot be assigned to {}: it has more dimensions; index it first", display_name(v.of),
                     display_name(to.of)));
  for (int d = 0; d < v.of->dimensions; ++d)
    require_assignable(ctx, extent(ctx, v, d), extent(ctx, to, to.of->dimensions - v.of->dimensions + d), d, at);
  // The source may overlap the target, so elements are copied in the direction that reads each before it is
  // overwritten.
  if (v.of->space != to.of->space) return copy_elements(ctx, to, v, op, at, false, shared);
  ctx.ir.branch(
      ctx.ir.compare(operation::ult, v.parts[0], to.parts[0]), [&] { copy_elements(ctx, to, v, op, at, true, shared); },
      [&] { copy_elements(ctx, to, v, op, at, false, shared); });
}

}  // namespace dpep::pykernel
