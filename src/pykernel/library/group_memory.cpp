// group_load and group_store: copies between memory and the private arrays of a group's work-items.
#include <fmt/format.h>

#include "pykernel/library/group_call.hpp"
#include "pykernel/translate/array_layout.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loops.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {

value group_load_or_store(const group_call &c) {
  translation &ctx = c.ctx;
  const expression &at = c.at;
  const bool loads = c.function == "group_load";
  check_count(ctx, c.args, 3, 4);
  const value &from = require_argument(ctx, c.args, 1, "in_array"), &to = require_argument(ctx, c.args, 2, "out_array");
  require_one_dimension(c, from);
  require_one_dimension(c, to);
  const value &own = loads ? to : from;
  if (own.of->space != address_space::private_space)
    fail(ctx, error_kind::typing, at,
         fmt::format("{}() takes a PrivateArray as its {} argument, got {}", c.function, loads ? "third" : "second",
                     display_name(own.of)));
  const value *const given = find_argument(c.args, 3, "striped");
  const bool striped = given && constant_integer(ctx, *given, at, "striped");
  const node id = local_id(c), size = group_size(c), count = extent(ctx, own, 0);
  loop_over_range(
      ctx,
      [&](const value &i) {
        const node k = i.parts[0];
        const value index =
            size_value(ctx, striped ? ctx.ir.add(ctx.ir.mul(k, size), id) : ctx.ir.add(ctx.ir.mul(id, count), k));
        const value element = load(ctx, from, element_address(ctx, from, {loads ? index : i}, at));
        store(ctx, to, element_address(ctx, to, {loads ? i : index}, at), element, at);
      },
      integer(ctx, 0), size_value(ctx, count), integer(ctx, 1), at);
  return none();
}

}  // namespace dpep::pykernel
