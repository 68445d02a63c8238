// Arrays that kernels allocate: private and local memory.
#include "pykernel/translate/allocated_arrays.hpp"

#include <fmt/format.h>

#include "pykernel/translate/initialisation_checks.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {

std::vector<std::int64_t> constant_shape(translation &ctx, const value &v, const expression &at,
                                         const std::string &what) {
  std::vector<std::int64_t> shape;
  if (is_tuple(v.of))
    for (const value &m : v.members) shape.push_back(constant_integer(ctx, m, at, what));
  else
    shape.push_back(constant_integer(ctx, v, at, what));
  for (const std::int64_t length : shape)
    if (length < 0) fail(ctx, error_kind::value, at, fmt::format("{} must not be negative", what));
  return shape;
}

namespace {

std::int64_t count_of(const std::vector<std::int64_t> &shape) {
  std::int64_t n = 1;
  for (std::int64_t length : shape) n *= length;
  return n;
}

}  // namespace

value private_array(translation &ctx, const std::vector<std::int64_t> &shape, dtype t, bool zeroed) {
  const std::int64_t count = count_of(shape) * parts_of(t);
  const bool shadowed = ctx.request.check && !zeroed;
  value v{.of = array_with_extents(array_type(t, int(shape.size()), 'C', address_space::private_space), shape),
          .parts = {ctx.ir.private_memory(memory_type_of(t), shadowed ? 2 * count : count, zeroed || shadowed)}};
  if (shadowed) v.of = array_with_shadow(v.of, count * bits_of(memory_type_of(t)) / 8);
  for (std::int64_t length : shape) v.parts.push_back(ctx.ir.size(length));
  v.of_iteration = ctx.is_repeated();
  return v;
}

value local_array(translation &ctx, const std::vector<std::int64_t> &shape, dtype t, const expression &at) {
  if (!ctx.request.grouped)
    fail(ctx, error_kind::unsupported, at, "local memory needs work-groups: launch the kernel over an NdRange");
  const type plain = array_with_extents(array_type(t, int(shape.size()), 'C', address_space::local_space), shape);
  ctx.local_arrays.push_back(ctx.request.check ? array_with_shadow(plain, local_shadow_offset(plain)) : plain);
  return local_array(ctx, ctx.local_arrays.size());
}

value local_array(translation &ctx, std::size_t number) {
  const type t = ctx.local_arrays[number - 1];
  const node bytes = ctx.ir.size(t->shadow ? 2 * t->shadow : count_of(t->extents) * std::int64_t(size_of(t->element)));
  value v{.of = t,
          .parts = {ctx.ir.call(machine_type::pointer, "__dpep_static_local_memory",
                                {bytes, ctx.ir.size(64), ctx.ir.size(std::int64_t(number))})}};
  for (std::int64_t length : t->extents) v.parts.push_back(ctx.ir.size(length));
  return v;
}

void reset_local_shadow(translation &ctx, const std::vector<value> &arguments) {
  if (!ctx.request.check || !ctx.request.grouped) return;
  bool any = false;
  const auto forget = [&](const value &array) { mark_all(ctx, array, false), any = true; };
  for (const value &v : arguments)
    if (is_array(v.of) && v.of->shadow) forget(v);
  for (std::size_t number = 1; number <= ctx.local_arrays.size(); ++number) forget(local_array(ctx, number));
  if (any) ctx.ir.call(machine_type::none, "__dpep_group_barrier", {});
}

}  // namespace dpep::pykernel
