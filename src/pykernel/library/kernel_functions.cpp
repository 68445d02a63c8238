// What kernels ask about their work-item, and its memory and barriers: kernel_api's objects and the older functions.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

using kinds = type_facts::kind;

enum class answer : std::uint8_t { of_dimension, linear, product };
struct query {
  kinds of;
  std::string_view name;
  answer what;
  const char *builtin;  // of the size for linear ids: `sizes`
  const char *sizes = nullptr;
};
constexpr const char *global_id = "__dpep_global_id", *global_size = "__dpep_global_size",
                     *local_id = "__dpep_local_id", *local_size = "__dpep_local_size", *group_id = "__dpep_group_id",
                     *group_count = "__dpep_group_count";

constexpr std::array queries{
    query{kinds::item, "get_id", answer::of_dimension, global_id},
    query{kinds::item, "get_range", answer::of_dimension, global_size},
    query{kinds::item, "get_linear_id", answer::linear, global_id, global_size},
    query{kinds::item, "get_linear_range", answer::product, global_size},
    query{kinds::nd_item, "get_global_id", answer::of_dimension, global_id},
    query{kinds::nd_item, "get_local_id", answer::of_dimension, local_id},
    query{kinds::nd_item, "get_global_range", answer::of_dimension, global_size},
    query{kinds::nd_item, "get_local_range", answer::of_dimension, local_size},
    query{kinds::nd_item, "get_global_linear_id", answer::linear, global_id, global_size},
    query{kinds::nd_item, "get_local_linear_id", answer::linear, local_id, local_size},
    query{kinds::nd_item, "get_global_linear_range", answer::product, global_size},
    query{kinds::nd_item, "get_local_linear_range", answer::product, local_size},
    query{kinds::group, "get_group_id", answer::of_dimension, group_id},
    query{kinds::group, "get_group_range", answer::of_dimension, group_count},
    query{kinds::group, "get_local_id", answer::of_dimension, local_id},
    query{kinds::group, "get_local_range", answer::of_dimension, local_size},
    query{kinds::group, "get_max_local_range", answer::of_dimension, local_size},
    query{kinds::group, "get_group_linear_id", answer::linear, group_id, group_count},
    query{kinds::group, "get_local_linear_id", answer::linear, local_id, local_size},
    query{kinds::group, "get_group_linear_range", answer::product, group_count},
    query{kinds::group, "get_local_linear_range", answer::product, local_size},
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

}  // namespace

value translator::id(const char *builtin, int dimension) {
  // the contract's dimension 0 varies fastest, users' last does
  const node n = b.call(machine::i64, builtin, {b.integer(machine::i32, dimensions() - 1 - dimension)});
  return size_value(n);
}

value translator::linear(const char *ids, const char *sizes) {
  node position = 0;
  for (int d = 0; d < dimensions(); ++d) {
    const node i = id(ids, d).parts[0];
    position =
        d == 0 ? i : b.binary(operation::add, b.binary(operation::mul, position, id(sizes, d).parts[0], true), i, true);
  }
  return size_value(position);
}

value translator::dimension_query(const char *builtin, const value &dimension, const expression &at) {
  const node d = integer_node(dimension, at, "a dimension");
  if (const auto k = b.known(d)) {
    if (*k < 0 || *k >= dimensions())
      fail(mistake::index, at,
           fmt::format("dimension {} of a launch with {} dimension{}", *k, dimensions(), dimensions() == 1 ? "" : "s"));
    return id(builtin, int(*k));
  }
  if (asked.check)
    b.branch(b.negate(b.compare(operation::ult, d, b.size(dimensions()))), [&] {
      b.line = at.at.line;
      b.fail(fmt::format("IndexError: a dimension is out of range: the launch has {}", dimensions()), source().file,
             source().name);
    });
  value result = id(builtin, 0);
  for (int k = 1; k < dimensions(); ++k)
    result.parts[0] = b.select(b.compare(operation::eq, d, b.size(k)), id(builtin, k).parts[0], result.parts[0]);
  return result;
}

bool translator::asks_of_items(std::string_view method) {
  return method == "get_group" || method == "get_sub_group" ||
         std::ranges::find(queries, method, &query::name) != queries.end();
}

value translator::item_method(const value &of, const std::string &name, arguments &a) {
  if (of.of->what == kinds::sub_group) {
    const auto q = std::ranges::find(sub_group_queries, name, &sub_group_query::name);
    if (q != sub_group_queries.end()) {
      expect_count(a, 0, 1);
      return size_value(b.cast(operation::zext, machine::i64, b.call(machine::i32, q->builtin, {})));
    }
    if (name == "leader")
      return scalar(
          dtype::boolean,
          b.compare(operation::eq, b.call(machine::i32, "__dpep_sub_group_local_id", {}), b.integer(machine::i32, 0)),
          true);
  }
  for (const query &q : queries) {
    if (q.of != of.of->what || q.name != name) continue;
    switch (q.what) {
    case answer::of_dimension:
      expect_count(a, 1, 1);
      return dimension_query(q.builtin, take(a, 0, "dim") ? need(a, 0, "dim") : need(a, 0, "idx"), a.call);
    case answer::linear:
      expect_count(a, 0, 0);
      return linear(q.builtin, q.sizes);
    case answer::product: {
      expect_count(a, 0, 0);
      node product = b.size(1);
      for (int d = 0; d < dimensions(); ++d) product = b.mul(product, id(q.builtin, d).parts[0]);
      return size_value(product);
    }
    }
  }
  if (of.of->what == kinds::nd_item && name == "get_group") return {.of = simple_type(kinds::group, dimensions())};
  if (of.of->what == kinds::nd_item && name == "get_sub_group") return {.of = simple_type(kinds::sub_group)};
  if (of.of->what == kinds::group && name == "leader")
    return scalar(dtype::boolean, b.compare(operation::eq, linear(local_id, local_size).parts[0], b.size(0)), true);
  fail(mistake::name, a.call, fmt::format("{} has no method '{}'", described(of.of), name));
}

void translator::need_groups(const std::string &what, const expression &at) const {
  if (!asked.grouped)
    fail(mistake::unsupported, at, fmt::format("{} needs work-groups: launch the kernel over an NdRange", what));
}

std::optional<value> translator::kernel_function(std::string_view name, arguments &a) {
  const expression &at = a.call;
  if (name.starts_with("old.")) {
    const std::string_view f = name.substr(4);
    const auto q = std::ranges::find(old_queries, f, &old_query::name);
    if (q != old_queries.end()) {
      expect_count(a, 1, 1);
      return dimension_query(q->builtin, need(a, 0, "dimension"), at);
    }
    if (f == "get_work_dim") return integer(dimensions());
    if (f == "barrier" || f == "sub_group_barrier") {
      expect_count(a, 0, 1);
      need_groups(std::string(f), at);
      b.call(machine::none, f == "barrier" ? "__dpep_group_barrier" : "__dpep_sub_group_barrier", {});
      return none();
    }
    if (f == "mem_fence") return expect_count(a, 0, 1), b.fence({.order = 4}), none();  // ACQ_REL
    if (f == "local_array")
      return local_array(known_shape(need(a, 0, "shape"), at, "a local array's shape"),
                         data_type(need(a, 1, "dtype"), at), at);
    if (f == "private_array")
      return private_array(known_shape(need(a, 0, "shape"), at, "a private array's shape"),
                           data_type(need(a, 1, "dtype"), at), true);
    return std::nullopt;
  }
  if (!name.starts_with("kernel_api.")) return std::nullopt;
  const std::string_view f = name.substr(11);
  if (f == "PrivateArray") {
    expect_count(a, 2, 3);
    const value *zeroed = take(a, 2, "fill_zeros");
    return private_array(known_shape(need(a, 0, "shape"), at, "a PrivateArray's shape"),
                         data_type(need(a, 1, "dtype"), at), zeroed && known_integer(*zeroed, at, "fill_zeros") != 0);
  }
  if (f == "LocalAccessor")
    fail(mistake::unsupported, at, "a LocalAccessor is made outside the kernel and passed to it as an argument");
  if (f == "group_barrier") {
    expect_count(a, 1, 2);
    need_groups("group_barrier", at);
    const value &group = need(a, 0, "group");
    if (group.of->what != kinds::group && group.of->what != kinds::sub_group)
      fail(mistake::typing, at,
           fmt::format("group_barrier() takes a group, got {}: item.get_group()", described(group.of)));
    barrier(group.of->what == kinds::sub_group, take(a, 1, "fence_scope"), at);
    return none();
  }
  if (f == "sub_group_barrier") {
    expect_count(a, 1, 2);
    need_groups("sub_group_barrier", at);
    barrier(true, take(a, 1, "fence_scope"), at);
    return none();
  }
  if (f == "atomic_fence") {
    expect_count(a, 2, 2);
    const memory_ordering ordering = known_ordering(&need(a, 0, "memory_order"), &need(a, 1, "memory_scope"), at);
    if (ordering.order != 0) b.fence(ordering);
    return none();
  }
  return std::nullopt;
}

}  // namespace dpep::pykernel
