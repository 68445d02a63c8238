// Work-items, memory and barriers: objects of kernel_api, and the functions of older kernels.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loop_results.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/work_item_ids.hpp"

namespace dpep::pykernel {
namespace {

using kinds = type_properties::kind;

enum class result : std::uint8_t { of_dimension, linear, product };
struct query {
  kinds of;
  std::string_view name;
  result what;
  const char *builtin;  // of the ids; linear ids use `sizes`, too
  const char *sizes = nullptr;
};
constexpr const char *global_id = "__dpep_global_id", *global_size = "__dpep_global_size",
                     *local_id = "__dpep_local_id", *local_size = "__dpep_local_size", *group_id = "__dpep_group_id",
                     *group_count = "__dpep_group_count";

constexpr std::array queries{
    query{kinds::item, "get_id", result::of_dimension, global_id},
    query{kinds::item, "get_range", result::of_dimension, global_size},
    query{kinds::item, "get_linear_id", result::linear, global_id, global_size},
    query{kinds::item, "get_linear_range", result::product, global_size},
    query{kinds::nd_item, "get_global_id", result::of_dimension, global_id},
    query{kinds::nd_item, "get_local_id", result::of_dimension, local_id},
    query{kinds::nd_item, "get_global_range", result::of_dimension, global_size},
    query{kinds::nd_item, "get_local_range", result::of_dimension, local_size},
    query{kinds::nd_item, "get_global_linear_id", result::linear, global_id, global_size},
    query{kinds::nd_item, "get_local_linear_id", result::linear, local_id, local_size},
    query{kinds::nd_item, "get_global_linear_range", result::product, global_size},
    query{kinds::nd_item, "get_local_linear_range", result::product, local_size},
    query{kinds::group, "get_group_id", result::of_dimension, group_id},
    query{kinds::group, "get_group_range", result::of_dimension, group_count},
    query{kinds::group, "get_local_id", result::of_dimension, local_id},
    query{kinds::group, "get_local_range", result::of_dimension, local_size},
    query{kinds::group, "get_max_local_range", result::of_dimension, local_size},
    query{kinds::group, "get_group_linear_id", result::linear, group_id, group_count},
    query{kinds::group, "get_local_linear_id", result::linear, local_id, local_size},
    query{kinds::group, "get_group_linear_range", result::product, group_count},
    query{kinds::group, "get_local_linear_range", result::product, local_size},
};

struct sub_group_query {
  std::string_view name;
  const char *builtin;
};
constexpr std::array sub_group_queries{
    sub_group_query{"get_local_id", "__dpep_sub_group_local_id"},
    sub_group_query{"get_local_linear_id", "__dpep_sub_group_local_id"},
    sub_group_query{"get_local_range", "__dpep_sub_group_size"},
    sub_group_query{"get_local_linear_range", "__dpep_sub_group_size"},
    sub_group_query{"get_max_local_range", "__dpep_sub_group_max_size"},
    sub_group_query{"get_group_id", "__dpep_sub_group_id"},
    sub_group_query{"get_group_linear_id", "__dpep_sub_group_id"},
    sub_group_query{"get_group_range", "__dpep_sub_group_count"},
    sub_group_query{"get_group_linear_range", "__dpep_sub_group_count"},
};

struct old_query {
  std::string_view name;
  const char *builtin;
};
constexpr std::array old_queries{
    old_query{"get_global_id", global_id}, old_query{"get_global_size", global_size},
    old_query{"get_local_id", local_id},   old_query{"get_local_size", local_size},
    old_query{"get_group_id", group_id},   old_query{"get_num_groups", group_count},
};

value dimension_query(translation &ctx, const char *builtin, const value &dimension, const expression &at) {
  const node d = integer_node(ctx, dimension, at, "a dimension");
  if (const auto k = ctx.ir.known(d)) {
    if (*k < 0 || *k >= ctx.dimensions())
      fail(ctx, error_kind::index, at,
           fmt::format("dimension {} is out of range: the launch has {} dimension{}", *k, ctx.dimensions(),
                       ctx.dimensions() == 1 ? "" : "s"));
    return item_id(ctx, builtin, int(*k));
  }
  if (ctx.request.check)
    ctx.ir.branch(ctx.ir.negate(ctx.ir.compare(operation::ult, d, ctx.ir.size(ctx.dimensions()))), [&] {
      ctx.ir.line = at.at.line;
      ctx.ir.fail(
          fmt::format("IndexError: a dimension is out of range: the launch has {} dimensions", ctx.dimensions()),
          ctx.source().file, ctx.source().name);
    });
  value result = item_id(ctx, builtin, 0);
  for (int k = 1; k < ctx.dimensions(); ++k)
    result.parts[0] = ctx.ir.select(ctx.ir.compare(operation::eq, d, ctx.ir.size(k)), item_id(ctx, builtin, k).parts[0],
                                    result.parts[0]);
  return result;
}

}  // namespace

bool is_item_method(std::string_view method) {
  return method == "get_group" || method == "get_sub_group" ||
         std::ranges::find(queries, method, &query::name) != queries.end();
}

value item_method(translation &ctx, const value &of, const std::string &name, const arguments &a) {
  if (of.of->what == kinds::sub_group) {
    const auto q = std::ranges::find(sub_group_queries, name, &sub_group_query::name);
    if (q != sub_group_queries.end()) {
      check_count(ctx, a, 0, 1);
      return size_value(
          ctx, ctx.ir.cast(operation::zext, machine_type::i64, ctx.ir.call(machine_type::i32, q->builtin, {})));
    }
    if (name == "leader")
      return scalar(ctx, dtype::boolean,
                    ctx.ir.compare(operation::eq, ctx.ir.call(machine_type::i32, "__dpep_sub_group_local_id", {}),
                                   ctx.ir.integer(machine_type::i32, 0)),
                    true);
  }
  for (const query &q : queries) {
    if (q.of != of.of->what || q.name != name) continue;
    switch (q.what) {
    case result::of_dimension:
      check_count(ctx, a, 1, 1);
      return dimension_query(
          ctx, q.builtin,
          find_argument(a, 0, "dim") ? require_argument(ctx, a, 0, "dim") : require_argument(ctx, a, 0, "idx"), a.call);
    case result::linear:
      check_count(ctx, a, 0, 0);
      return linear_id(ctx, q.builtin, q.sizes);
    case result::product: {
      check_count(ctx, a, 0, 0);
      node product = ctx.ir.size(1);
      for (int d = 0; d < ctx.dimensions(); ++d) product = ctx.ir.mul(product, item_id(ctx, q.builtin, d).parts[0]);
      return size_value(ctx, product);
    }
    }
  }
  if (of.of->what == kinds::nd_item && name == "get_group") return {.of = simple_type(kinds::group, ctx.dimensions())};
  if (of.of->what == kinds::nd_item && name == "get_sub_group") return {.of = simple_type(kinds::sub_group)};
  if (of.of->what == kinds::group && name == "leader")
    return scalar(ctx, dtype::boolean,
                  ctx.ir.compare(operation::eq, linear_id(ctx, local_id, local_size).parts[0], ctx.ir.size(0)), true);
  fail(ctx, error_kind::name, a.call, fmt::format("{} has no method '{}'", display_name(of.of), name));
}

void require_groups(const translation &ctx, const std::string &what, const expression &at) {
  if (!ctx.request.grouped)
    fail(ctx, error_kind::unsupported, at,
         fmt::format("{} needs work-groups: launch the kernel over an NdRange", what));
}

std::optional<value> kernel_function(translation &ctx, std::string_view name, const arguments &a) {
  const expression &at = a.call;
  if (name.starts_with("loop.")) return call_of_shared_loop(ctx, name.substr(5), a);
  if (name.starts_with("old.")) {
    const std::string_view f = name.substr(4);
    const auto q = std::ranges::find(old_queries, f, &old_query::name);
    if (q != old_queries.end()) {
      check_count(ctx, a, 1, 1);
      return dimension_query(ctx, q->builtin, require_argument(ctx, a, 0, "dimension"), at);
    }
    if (f == "get_work_dim") return integer(ctx, ctx.dimensions());
    if (f == "barrier" || f == "sub_group_barrier") {
      check_count(ctx, a, 0, 1);
      require_groups(ctx, std::string(f), at);
      ctx.ir.call(machine_type::none, f == "barrier" ? "__dpep_group_barrier" : "__dpep_sub_group_barrier", {});
      return none();
    }
    if (f == "mem_fence") return check_count(ctx, a, 0, 1), ctx.ir.fence({.order = 4}), none();  // MemoryOrder.ACQ_REL
    if (f == "local_array")
      return local_array(ctx, constant_shape(ctx, require_argument(ctx, a, 0, "shape"), at, "a local array's shape"),
                         data_type(ctx, require_argument(ctx, a, 1, "dtype"), at), at);
    if (f == "private_array")
      return private_array(ctx,
                           constant_shape(ctx, require_argument(ctx, a, 0, "shape"), at, "a private array's shape"),
                           data_type(ctx, require_argument(ctx, a, 1, "dtype"), at), true);
    return std::nullopt;
  }
  if (!name.starts_with("kernel_api.")) return std::nullopt;
  const std::string_view f = name.substr(11);
  if (f == "PrivateArray") {
    check_count(ctx, a, 2, 3);
    const value *zeroed = find_argument(a, 2, "fill_zeros");
    return private_array(ctx, constant_shape(ctx, require_argument(ctx, a, 0, "shape"), at, "a PrivateArray's shape"),
                         data_type(ctx, require_argument(ctx, a, 1, "dtype"), at),
                         zeroed && constant_integer(ctx, *zeroed, at, "fill_zeros") != 0);
  }
  if (f == "LocalAccessor")
    fail(ctx, error_kind::unsupported, at,
         "a LocalAccessor must be created outside of the kernel and passed to it as an argument");
  if (f == "group_barrier") {
    check_count(ctx, a, 1, 2);
    require_groups(ctx, "group_barrier", at);
    const value &group = require_argument(ctx, a, 0, "group");
    if (group.of->what != kinds::group && group.of->what != kinds::sub_group)
      fail(ctx, error_kind::typing, at,
           fmt::format("group_barrier() takes a group, got {}: pass item.get_group()", display_name(group.of)));
    barrier(ctx, group.of->what == kinds::sub_group, find_argument(a, 1, "fence_scope"), at);
    return none();
  }
  if (f == "sub_group_barrier") {
    check_count(ctx, a, 1, 2);
    require_groups(ctx, "sub_group_barrier", at);
    barrier(ctx, true, find_argument(a, 1, "fence_scope"), at);
    return none();
  }
  if (f == "atomic_fence") {
    check_count(ctx, a, 2, 2);
    const memory_ordering ordering = constant_ordering(ctx, &require_argument(ctx, a, 0, "memory_order"),
                                                       &require_argument(ctx, a, 1, "memory_scope"), at);
    if (ordering.order != 0) ctx.ir.fence(ordering);
    return none();
  }
  return std::nullopt;
}

}  // namespace dpep::pykernel
