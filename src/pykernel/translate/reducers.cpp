// Reduction objects of kernels.
#include "pykernel/translate/reducers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pykernel/library/library.hpp"
#include "pykernel/translate/allocated_arrays.hpp"
#include "pykernel/translate/arithmetic.hpp"
#include "pykernel/translate/arrays.hpp"
#include "pykernel/translate/loop_results.hpp"
#include "pykernel/translate/numbers.hpp"
#include "pykernel/translate/work_item_ids.hpp"

namespace dpep::pykernel {
namespace {

struct operation_row {
  std::string_view name, op;  // of the group algorithm, and Python's operator
};
constexpr operation_row operations[] = {{"add", "+"}, {"mul", "*"}, {"and", "&"}, {"or", "|"},
                                        {"xor", "^"}, {"min", ""},  {"max", ""}};

/// The private memory of a reduction as an array of one element.
value cell_of(const value &reducer) {
  return {.of = array_type(reducer.of->element, 0, 'C', address_space::private_space), .parts = {reducer.parts[0]}};
}

}  // namespace

value begin_reducer(translation &ctx, type reduction, const expression &at) {
  const value memory = private_array(ctx, {1}, reduction->element, true);
  value reducer{.of = reduction, .parts = {memory.parts[0]}};
  store(ctx, cell_of(reducer), memory.parts[0], identity(ctx, reduction->name, scalar_type(reduction->element), at),
        at);
  return reducer;
}

void combine_with(translation &ctx, const value &reducer, const value &number, std::string_view op,
                  const expression &at) {
  const auto *const known = std::ranges::find(operations, std::string_view(reducer.of->name), &operation_row::name);
  if (!op.empty() && op != known->op)
    fail(ctx, error_kind::typing, at,
         fmt::format("operator {}= of a reduction by another operation: {}", op,
                     known->op.empty() ? std::string("use its method combine()") : fmt::format("use {}=", known->op)));
  if (!is_scalar(number.of))
    fail(ctx, error_kind::typing, at, fmt::format("a reduction takes numbers, got {}", display_name(number.of)));
  const value cell = cell_of(reducer), total = load(ctx, cell, cell.parts[0]);
  const value next = known->op.empty() ? minimum(ctx, total, number, known->name == "max", false, at)
                                       : binary(ctx, known->op, total, number, at);
  store(ctx, cell, cell.parts[0], next, at);
}

void store_reducer(translation &ctx, const value &reducer, node memory, const expression &at) {
  const value cell = cell_of(reducer);
  value total = load(ctx, cell, cell.parts[0]);
  const dtype t = reducer.of->element;
  const bool by_groups = ctx.request.grouped && !(is_complex(t) && reducer.of->name != "add");
  if (by_groups) total.parts = reduced_over_group(ctx, total, reducer.of->name);
  const value results{.of = array_type(t, 0, 'C'), .parts = {memory}};
  const auto write = [&] {
    const node slot = linear_id(ctx, by_groups ? "__dpep_group_id" : "__dpep_global_id",
                                by_groups ? "__dpep_group_count" : "__dpep_global_size")
                          .parts[0];
    store(ctx, results, ctx.ir.offset(memory, slot, std::int64_t(size_of(t))), total, at);
  };
  if (!by_groups) return write();
  const node first =
      ctx.ir.compare(operation::eq, linear_id(ctx, "__dpep_local_id", "__dpep_local_size").parts[0], ctx.ir.size(0));
  ctx.ir.branch(first, write);
}

}  // namespace dpep::pykernel
