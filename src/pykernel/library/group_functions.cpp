// Group algorithms: calls of the SYCL headers' own, which device/group_algorithms.cpp has for each type.
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/calls.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/statements.hpp"
#include "pykernel/translate/variables.hpp"

namespace dpep::pykernel {
namespace {

using kinds = type_properties::kind;

/// What the library has functions for that does for the type: at least 32 bits.
dtype carried_as(dtype t) {
  switch (t) {
  case dtype::boolean:
  case dtype::int8:
  case dtype::int16:
    return dtype::int32;
  case dtype::uint8:
  case dtype::uint16:
    return dtype::uint32;
  case dtype::float16:
    return dtype::float32;
  default:
    return t;
  }
}

/// The operation that an object stands for, as the library names it.
std::string_view operation_of(const value &v) {
  if (!v.object || v.object->what != entity::kind::builtin) return "";
  std::string_view name = v.object->text;
  name.remove_prefix(std::min(name.rfind('.') + 1, name.size()));
  constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"add", "add"},         {"plus", "add"},        {"sum", "add"},      {"mul", "mul"},
      {"multiplies", "mul"},  {"multiply", "mul"},    {"min", "min"},      {"minimum", "min"},
      {"max", "max"},         {"maximum", "max"},     {"and_", "and"},     {"and", "and"},
      {"bit_and", "and"},     {"bitwise_and", "and"}, {"or_", "or"},       {"or", "or"},
      {"bit_or", "or"},       {"bitwise_or", "or"},   {"xor", "xor"},      {"bit_xor", "xor"},
      {"bitwise_xor", "xor"}, {"logical_and", "and"}, {"logical_or", "or"}};
  for (const auto &[given, library] : table)
    if (given == name) return library;
  return "";
}

value identity(translation &ctx, const std::string &op, type t, const expression &at) {
  const dtype e = t->element;
  const machine_type m = machine_type_of(e);
  if (op == "add" || op == "or" || op == "xor") return convert(ctx, integer(ctx, 0), t, at);
  if (op == "mul") return convert(ctx, integer(ctx, 1), t, at);
  if (op == "and")
    return e == dtype::boolean ? scalar(ctx, e, ctx.ir.boolean(true), t->weak)
                               : scalar(ctx, e, ctx.ir.integer(m, -1), t->weak);
  const bool greatest = op == "min";
  if (is_real(e)) return scalar(ctx, e, ctx.ir.real(m, greatest ? HUGE_VAL : -HUGE_VAL), t->weak);
  if (e == dtype::boolean) return scalar(ctx, e, ctx.ir.boolean(greatest), t->weak);
  if (is_unsigned(e)) return scalar(ctx, e, ctx.ir.integer(m, greatest ? -1 : 0), t->weak);
  const int bits = bits_of(m);
  const std::int64_t most = bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t(1) << (bits - 1)) - 1;
  return scalar(ctx, e, ctx.ir.integer(m, greatest ? most : -most - 1), t->weak);
}

}  // namespace

std::optional<value> group_function(translation &ctx, std::string_view name, const arguments &a) {
  if (!name.starts_with("kernel_api.")) return std::nullopt;
  const std::string_view f = name.substr(11);
  constexpr std::array known{"reduce_over_group",
                             "inclusive_scan_over_group",
                             "exclusive_scan_over_group",
                             "group_broadcast",
                             "any_of_group",
                             "all_of_group",
                             "none_of_group",
                             "shift_group_left",
                             "shift_group_right",
                             "permute_group_by_xor",
                             "select_from_group",
                             "joint_reduce",
                             "joint_any_of",
                             "joint_all_of",
                             "joint_none_of",
                             "joint_inclusive_scan",
                             "joint_exclusive_scan"};
  if (std::ranges::find(known, f) == known.end()) return std::nullopt;
  const expression &at = a.call;
  require_groups(ctx, std::string(f), at);
  const value &group = require_argument(ctx, a, 0, "group");
  const bool sub = group.of->what == kinds::sub_group;
  if (!sub && group.of->what != kinds::group)
    fail(ctx, error_kind::typing, at,
         fmt::format("{}() takes a group first, got {}: item.get_group()", f, display_name(group.of)));
  const std::string scope = sub ? "dpep_sub_group_" : "dpep_group_";

  const auto rank = [&] {
    arguments nothing{at, "rank", {}, {}};
    return item_method(ctx, group, "get_local_linear_id", nothing).parts[0];
  };
  const auto size = [&] {
    arguments nothing{at, "size", {}, {}};
    return item_method(ctx, group, "get_local_linear_range", nothing).parts[0];
  };
  const auto library = [&](const std::string &function, const value &x, std::vector<node> more) {
    if (!is_scalar(x.of) || is_complex(x.of->element))
      fail(ctx, error_kind::typing, at, fmt::format("{}() works on real numbers, got {}", f, display_name(x.of)));
    const value carried = convert(ctx, x, carried_as(x.of->element), at);
    more.insert(more.begin(), carried.parts[0]);
    const node n = ctx.ir.call(ctx.ir.type_of(carried.parts[0]),
                               scope + function + "_" + std::string(name_of(carried.of->element)), more);
    return convert(ctx, scalar(ctx, carried.of->element, n, x.of->weak), x.of, at);
  };
  const auto operation_argument = [&](std::size_t position) {
    const value &op = require_argument(ctx, a, position, "op");
    const std::string_view which = operation_of(op);
    if (which.empty())
      fail(ctx, error_kind::typing, at,
           fmt::format("{}() knows the operations of kernel_api and operator, such as operator.add, min and max", f));
    return std::string(which);
  };
  const auto check_bits = [&](const std::string &op, const value &x) {
    if ((op == "and" || op == "or" || op == "xor") && is_scalar(x.of) && is_real(x.of->element))
      fail(ctx, error_kind::typing, at, fmt::format("operation {} is not defined for {}", op, display_name(x.of)));
  };
  const auto combine = [&](const std::string &op, const value &l, const value &r) {
    if (op == "min" || op == "max") return minimum(ctx, l, r, op == "max", false, at);
    return binary(ctx, op == "add" ? "+" : op == "mul" ? "*" : op == "and" ? "&" : op == "or" ? "|" : "^", l, r, at);
  };

  if (f == "any_of_group" || f == "all_of_group" || f == "none_of_group") {
    check_count(ctx, a, 2, 2);
    const value x = scalar(ctx, dtype::boolean, truth(ctx, require_argument(ctx, a, 1, "x"), at), true);
    const value r = library(f == "all_of_group" ? "reduce_and" : "reduce_or", x, {});
    return f == "none_of_group" ? scalar(ctx, dtype::boolean, ctx.ir.negate(r.parts[0]), true) : r;
  }
  if (f == "group_broadcast" || f == "select_from_group") {
    check_count(ctx, a, f == "group_broadcast" ? 1 : 3, 3);
    const value *source = find_argument(a, 2, "local_id");
    if (!source) source = find_argument(a, 2, "id");
    node from = ctx.ir.size(0);
    if (source && is_tuple(source->of)) {
      // a coordinate for each dimension
      for (std::size_t d = 0; d < source->members.size(); ++d)
        from = ctx.ir.add(ctx.ir.mul(from, item_id(ctx, "__dpep_local_size", int(d)).parts[0]),
                          integer_node(ctx, source->members[d], at, "a local id"));
    } else if (source) {
      from = integer_node(ctx, *source, at, "a local id");
    }
    return library(f == "group_broadcast" ? "broadcast" : "select", require_argument(ctx, a, 1, "x"), {from});
  }
  if (f == "shift_group_left" || f == "shift_group_right" || f == "permute_group_by_xor") {
    check_count(ctx, a, 2, 3);
    const value *given = find_argument(a, 2, f == "permute_group_by_xor" ? "mask" : "delta");
    const node delta = given ? integer_node(ctx, *given, at, "the distance") : ctx.ir.size(1), me = rank();
    const node source = f == "shift_group_left"    ? ctx.ir.add(me, delta)
                        : f == "shift_group_right" ? ctx.ir.binary(operation::sub, me, delta)
                                                   : ctx.ir.binary(operation::bit_xor, me, delta);
    // from outside the group comes the work-item's own
    return library("select", require_argument(ctx, a, 1, "x"),
                   {ctx.ir.select(ctx.ir.compare(operation::ult, source, size()), source, me)});
  }
  if (f == "reduce_over_group" || f == "inclusive_scan_over_group" || f == "exclusive_scan_over_group") {
    check_count(ctx, a, 3, 4);
    const value &x = require_argument(ctx, a, 1, "x");
    const std::string op = operation_argument(2);
    check_bits(op, x);
    const value *init = find_argument(a, 3, "init");
    if (f == "exclusive_scan_over_group") {
      const type t = init ? promote(x.of, init->of) : x.of;
      const value y = convert(ctx, x, t, at), start = init ? convert(ctx, *init, t, at) : identity(ctx, op, t, at);
      return library("exclusive_scan_" + op, y, {convert(ctx, start, carried_as(t->element), at).parts[0]});
    }
    const value y = init ? convert(ctx, x, promote(x.of, init->of), at) : x;
    const value r = library((f == "reduce_over_group" ? "reduce_" : "inclusive_scan_") + op, y, {});
    return init ? combine(op, *init, r) : r;
  }
  if (f == "joint_inclusive_scan" || f == "joint_exclusive_scan") {
    // the leader does it for all, as in SYCL's headers
    check_count(ctx, a, 4, 5);
    const value &in = require_argument(ctx, a, 1, "in_array"), &out = require_argument(ctx, a, 2, "out_array");
    for (const value *x : {&in, &out})
      if (!is_array(x->of) || x->of->dimensions != 1)
        fail(ctx, error_kind::typing, at,
             fmt::format("{}() takes arrays of one dimension, got {}", f, display_name(x->of)));
    const std::string op = operation_argument(3);
    const type element = scalar_type(out.of->element);
    check_bits(op, {.of = element});
    const value *init = find_argument(a, 4, "init");
    const char *const barrier = sub ? "__dpep_sub_group_barrier" : "__dpep_group_barrier";
    const std::string sum = fmt::format("#scan {}:{}", at.at.line, at.at.column);
    ctx.ir.call(machine_type::none, barrier, {});
    ctx.ir.branch(ctx.ir.compare(operation::eq, rank(), ctx.ir.size(0)), [&] {
      value start =
          init && init->of->what != kinds::none ? convert(ctx, *init, element, at) : identity(ctx, op, element, at);
      start.known.reset();
      assign(ctx, sum, start, at);
      loop_over_range(
          ctx,
          [&](const value &i) {
            const value before = read(ctx, sum, at),
                        x = convert(ctx, load(ctx, in, element_address(ctx, in, {i}, at)), element, at);
            const value after = combine(op, before, x);
            store(ctx, out, element_address(ctx, out, {i}, at), f == "joint_inclusive_scan" ? after : before, at);
            assign(ctx, sum, convert(ctx, after, element, at), at);
          },
          integer(ctx, 0), size_value(ctx, extent(ctx, in, 0)), integer(ctx, 1), at);
    });
    ctx.ir.call(machine_type::none, barrier, {});
    return none();
  }
  // joint algorithms: each work-item takes every size-th element, then all fold what they have
  check_count(ctx, a, 2, 4);
  const value &array = require_argument(ctx, a, 1, "array");
  if (!is_array(array.of) || array.of->dimensions != 1)
    fail(ctx, error_kind::typing, at,
         fmt::format("{}() takes an array of one dimension, got {}", f, display_name(array.of)));
  const bool reduces = f == "joint_reduce";
  const std::string op = reduces ? operation_argument(2) : f == "joint_all_of" ? "and" : "or";
  const type element = reduces ? scalar_type(array.of->element) : weak_boolean();
  check_bits(op, {.of = element});
  const std::string name_of_sum = fmt::format("#joint {}:{}", at.at.line, at.at.column);
  assign(ctx, name_of_sum, identity(ctx, op, element, at), at);
  value every = size_value(ctx, size());
  loop_over_range(
      ctx,
      [&](const value &i) {
        const value x = load(ctx, array, element_address(ctx, array, {i}, at));
        const value y = reduces ? x : scalar(ctx, dtype::boolean, truth(ctx, x, at), true);
        assign(ctx, name_of_sum, combine(op, read(ctx, name_of_sum, at), y), at);
      },
      size_value(ctx, rank()), size_value(ctx, extent(ctx, array, 0)), every, at);
  const value total = library("reduce_" + op, read(ctx, name_of_sum, at), {});
  if (!reduces) return f == "joint_none_of" ? scalar(ctx, dtype::boolean, ctx.ir.negate(total.parts[0]), true) : total;
  const value *init = find_argument(a, 3, "init");
  return init ? combine(op, *init, total) : total;
}

}  // namespace dpep::pykernel
