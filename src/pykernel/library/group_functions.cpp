// Group algorithms: calls of the functions that device/group_algorithms.cpp instantiates from the SYCL headers.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pykernel/library/group_call.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/variables.hpp"
#include "pykernel/translate/work_item_ids.hpp"

namespace dpep::pykernel {
namespace {

using kinds = type_properties::kind;

/// The type that the library function for a dtype has: at least 32 bits.
dtype library_type(dtype t) {
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

/// The library's name of the operation that a function object denotes; empty if there is none.
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

/// The operation that the argument at a position denotes, for operands of a type.
std::string operation_argument(const group_call &c, std::size_t position, type operand) {
  const value &v = require_argument(c.ctx, c.args, position, "op");
  const std::string op(operation_of(v));
  if (op.empty())
    fail(c.ctx, error_kind::typing, c.at,
         fmt::format("{}() takes an operation of kernel_api or operator, such as kernel_api.plus, operator.add, min or "
                     "max, got {}",
                     c.function, display_name(v.of)));
  if ((op == "and" || op == "or" || op == "xor") && is_scalar(operand) && is_real(operand->element))
    fail(c.ctx, error_kind::typing, c.at,
         fmt::format("{}(): operation {} is not defined for {}: use integers", c.function, op, display_name(operand)));
  return op;
}

value combine(const group_call &c, const std::string &op, const value &x, const value &y) {
  if (op == "min" || op == "max") return minimum(c.ctx, x, y, op == "max", false, c.at);
  return binary(c.ctx, op == "add" ? "+" : op == "mul" ? "*" : op == "and" ? "&" : op == "or" ? "|" : "^", x, y, c.at);
}

value negated(const group_call &c, const value &truth) {
  return scalar(c.ctx, dtype::boolean, c.ctx.ir.negate(truth.parts[0]), true);
}

value any_all_none(const group_call &c) {
  check_count(c.ctx, c.args, 2, 2);
  const node predicate = truth(c.ctx, require_argument(c.ctx, c.args, 1, "predicate"), c.at);
  const value x = scalar(c.ctx, dtype::boolean, predicate, true);
  const value result = call_library(c, c.function == "all_of_group" ? "reduce_and" : "reduce_or", x, {});
  return c.function == "none_of_group" ? negated(c, result) : result;
}

value broadcast_or_select(const group_call &c) {
  translation &ctx = c.ctx;
  const bool broadcasts = c.function == "group_broadcast";
  check_count(ctx, c.args, broadcasts ? 1 : 3, 3);
  const value *const source = find_argument(c.args, 2, broadcasts ? "local_linear_id" : "remote_local_id");
  node from = ctx.ir.size(0);
  if (source && is_tuple(source->of)) {
    // A coordinate for each dimension.
    for (std::size_t d = 0; d < source->members.size(); ++d)
      from = ctx.ir.add(ctx.ir.mul(from, item_id(ctx, "__dpep_local_size", int(d)).parts[0]),
                        integer_node(ctx, source->members[d], c.at, "a local id"));
  } else if (source) {
    from = integer_node(ctx, *source, c.at, "a local id");
  }
  return call_library(c, broadcasts ? "broadcast" : "select", require_argument(ctx, c.args, 1, "x"), {from});
}

value shift_or_permute(const group_call &c) {
  translation &ctx = c.ctx;
  check_count(ctx, c.args, 2, 3);
  const value *given = find_argument(c.args, 2, c.function == "permute_group_by_xor" ? "mask" : "delta");
  const node delta = given ? integer_node(ctx, *given, c.at, "the distance") : ctx.ir.size(1), own = local_id(c);
  const node source = c.function == "shift_group_left"    ? ctx.ir.add(own, delta)
                      : c.function == "shift_group_right" ? ctx.ir.binary(operation::sub, own, delta)
                                                          : ctx.ir.binary(operation::bit_xor, own, delta);
  // A source outside of the group is undefined in SYCL; here the work-item gets its own value.
  const node in_group = ctx.ir.compare(operation::ult, source, group_size(c));
  return call_library(c, "select", require_argument(ctx, c.args, 1, "x"), {ctx.ir.select(in_group, source, own)});
}

value reduction_or_scan(const group_call &c) {
  translation &ctx = c.ctx;
  check_count(ctx, c.args, 3, 4);
  const value &x = require_argument(ctx, c.args, 1, "x");
  const std::string op = operation_argument(c, 2, x.of);
  const value *init = find_argument(c.args, 3, "init");
  if (c.function == "exclusive_scan_over_group") {
    const type t = init ? promote(x.of, init->of) : x.of;
    const value y = convert(ctx, x, t, c.at);
    const value start = init ? convert(ctx, *init, t, c.at) : identity(ctx, op, t, c.at);
    return call_library(c, "exclusive_scan_" + op, y, {convert(ctx, start, library_type(t->element), c.at).parts[0]});
  }
  const value y = init ? convert(ctx, x, promote(x.of, init->of), c.at) : x;
  const value result = call_library(c, (c.function == "reduce_over_group" ? "reduce_" : "inclusive_scan_") + op, y, {});
  return init ? combine(c, op, *init, result) : result;
}

/// A scan over an array, computed by the first work-item of the group, as in SYCL's headers.
value joint_scan(const group_call &c) {
  translation &ctx = c.ctx;
  const expression &at = c.at;
  check_count(ctx, c.args, 4, 5);
  const value &in = require_argument(ctx, c.args, 1, "in_array"), &out = require_argument(ctx, c.args, 2, "out_array");
  require_one_dimension(c, in);
  require_one_dimension(c, out);
  const type element = scalar_type(out.of->element);
  const std::string op = operation_argument(c, 3, element);
  const value *init = find_argument(c.args, 4, "init");
  const bool inclusive = c.function == "joint_inclusive_scan";
  const char *const barrier = c.is_sub_group() ? "__dpep_sub_group_barrier" : "__dpep_group_barrier";
  const std::string sum = fmt::format("#scan {}:{}", at.at.line, at.at.column);
  const auto step = [&](const value &i) {
    const value before = read(ctx, sum, at);
    const value x = convert(ctx, load(ctx, in, element_address(ctx, in, {i}, at)), element, at);
    const value after = combine(c, op, before, x);
    store(ctx, out, element_address(ctx, out, {i}, at), inclusive ? after : before, at);
    assign(ctx, sum, convert(ctx, after, element, at), at);
  };
  ctx.ir.call(machine_type::none, barrier, {});
  ctx.ir.branch(ctx.ir.compare(operation::eq, local_id(c), ctx.ir.size(0)), [&] {
    value start =
        init && init->of->what != kinds::none ? convert(ctx, *init, element, at) : identity(ctx, op, element, at);
    start.known.reset();
    assign(ctx, sum, start, at);
    loop_over_range(ctx, step, integer(ctx, 0), size_value(ctx, extent(ctx, in, 0)), integer(ctx, 1), at);
  });
  ctx.ir.call(machine_type::none, barrier, {});
  return none();
}

/// A reduction over an array: work-item i of n combines elements i, i + n, …, then the group combines the results.
value joint_reduction(const group_call &c) {
  translation &ctx = c.ctx;
  const expression &at = c.at;
  check_count(ctx, c.args, 2, 4);
  const value &array = require_argument(ctx, c.args, 1, "array");
  require_one_dimension(c, array);
  const bool reduces = c.function == "joint_reduce";
  const type element = reduces ? scalar_type(array.of->element) : weak_boolean();
  const std::string op = reduces ? operation_argument(c, 2, element) : c.function == "joint_all_of" ? "and" : "or";
  const std::string sum = fmt::format("#joint {}:{}", at.at.line, at.at.column);
  assign(ctx, sum, identity(ctx, op, element, at), at);
  const value stride = size_value(ctx, group_size(c));
  const auto step = [&](const value &i) {
    const value x = load(ctx, array, element_address(ctx, array, {i}, at));
    const value y = reduces ? x : scalar(ctx, dtype::boolean, truth(ctx, x, at), true);
    assign(ctx, sum, combine(c, op, read(ctx, sum, at), y), at);
  };
  loop_over_range(ctx, step, size_value(ctx, local_id(c)), size_value(ctx, extent(ctx, array, 0)), stride, at);
  const value total = call_library(c, "reduce_" + op, read(ctx, sum, at), {});
  if (!reduces) return c.function == "joint_none_of" ? negated(c, total) : total;
  const value *init = find_argument(c.args, 3, "init");
  return init ? combine(c, op, *init, total) : total;
}

struct row {
  std::string_view name;
  value (*define)(const group_call &);
};
constexpr row rows[] = {
    {"reduce_over_group", reduction_or_scan},
    {"inclusive_scan_over_group", reduction_or_scan},
    {"exclusive_scan_over_group", reduction_or_scan},
    {"group_broadcast", broadcast_or_select},
    {"select_from_group", broadcast_or_select},
    {"any_of_group", any_all_none},
    {"all_of_group", any_all_none},
    {"none_of_group", any_all_none},
    {"shift_group_left", shift_or_permute},
    {"shift_group_right", shift_or_permute},
    {"permute_group_by_xor", shift_or_permute},
    {"joint_reduce", joint_reduction},
    {"joint_any_of", joint_reduction},
    {"joint_all_of", joint_reduction},
    {"joint_none_of", joint_reduction},
    {"joint_inclusive_scan", joint_scan},
    {"joint_exclusive_scan", joint_scan},
    {"joint_sort", joint_sort},
    {"sort_over_group", sort_over_group},
    {"group_load", group_load_or_store},
    {"group_store", group_load_or_store},
};

}  // namespace

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

node local_id(const group_call &c) {
  return item_method(c.ctx, c.group, "get_local_linear_id", arguments{c.at, "get_local_linear_id", {}, {}}).parts[0];
}
node group_size(const group_call &c) {
  return item_method(c.ctx, c.group, "get_local_linear_range", arguments{c.at, "get_local_linear_range", {}, {}})
      .parts[0];
}

value call_library(const group_call &c, const std::string &function, const value &x, std::vector<node> more) {
  if (!is_scalar(x.of) || is_complex(x.of->element))
    fail(c.ctx, error_kind::typing, c.at,
         fmt::format("{}() takes a real number, got {}", c.function, display_name(x.of)));
  const value operand = convert(c.ctx, x, library_type(x.of->element), c.at);
  more.insert(more.begin(), operand.parts[0]);
  const std::string name = (c.is_sub_group() ? "dpep_sub_group_" : "dpep_group_") + function + "_" +
                           std::string(name_of(operand.of->element));
  const node n = c.ctx.ir.call(c.ctx.ir.type_of(operand.parts[0]), name, more);
  return convert(c.ctx, scalar(c.ctx, operand.of->element, n, x.of->weak), x.of, c.at);
}

void require_one_dimension(const group_call &c, const value &array) {
  if (!is_array(array.of) || array.of->dimensions != 1)
    fail(c.ctx, error_kind::typing, c.at,
         fmt::format("{}() takes an array of one dimension, got {}", c.function, display_name(array.of)));
}

std::optional<value> group_function(translation &ctx, std::string_view name, const arguments &a) {
  if (!name.starts_with("kernel_api.")) return std::nullopt;
  const std::string_view function = name.substr(11);
  const row *const found = std::ranges::find(rows, function, &row::name);
  if (found == std::end(rows)) return std::nullopt;
  require_groups(ctx, std::string(function) + "()", a.call);
  const value &group = require_argument(ctx, a, 0, "group");
  if (group.of->what != kinds::group && group.of->what != kinds::sub_group)
    fail(ctx, error_kind::typing, a.call,
         fmt::format("{}() takes a group as its first argument, got {}: pass item.get_group() or item.get_sub_group()",
                     function, display_name(group.of)));
  value result = found->define({ctx, function, a, a.call, group});
  check_keywords(ctx, a);
  return result;
}

}  // namespace dpep::pykernel
