// Ids and sizes of work-items and work-groups, from builtins.
#include "pykernel/translate/work_item_ids.hpp"

#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {

value item_id(translation &ctx, const char *builtin, int dimension) {
  // Dimension 0 of the builtins varies fastest; in Python the last one does.
  const node n =
      ctx.ir.call(machine_type::i64, builtin, {ctx.ir.integer(machine_type::i32, ctx.dimensions() - 1 - dimension)});
  value v = size_value(ctx, n);
  v.is_short = std::string_view(builtin).starts_with("__dpep_local_");  // work-groups have at most 2^20 work-items
  return v;
}

value linear_id(translation &ctx, const char *ids, const char *sizes) {
  node position = 0;
  for (int d = 0; d < ctx.dimensions(); ++d) {
    const node i = item_id(ctx, ids, d).parts[0];
    position =
        d == 0 ? i
               : ctx.ir.binary(operation::add,
                               ctx.ir.binary(operation::mul, position, item_id(ctx, sizes, d).parts[0], true), i, true);
  }
  value v = size_value(ctx, position);
  v.is_short = std::string_view(ids).starts_with("__dpep_local_");
  return v;
}

}  // namespace dpep::pykernel
