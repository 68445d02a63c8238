// Debug information of the intermediate form: inlined calls, and Python variables.
#include "pykernel/translate/debug_variables.hpp"

#include <algorithm>

#include "pykernel/translate/array_layout.hpp"

namespace dpep::pykernel {

void enter_call_site(translation &ctx, frame &f, const source_location &called_at) {
  if (!ctx.request.debug || f.site_pass == ctx.pass)
    return;  // entered already: the body of a loop over a tuple is translated for each member
  f.site_pass = ctx.pass;
  f.site = static_cast<std::uint32_t>(ctx.kernel.sites.size());
  const function_source &source = f.function.source;
  ctx.kernel.sites.push_back(
      {source.name, source.file, source.at.line, f.caller ? f.caller->site : 0, f.caller ? called_at.line : 0});
}

namespace {

/// Calls `of_slot` with each slot of a variable that debuggers read, and `copy` for each debug copy between them.
template <class OfSlot, class Copy>
void for_each_debug_slot(type t, std::size_t &slot, const OfSlot &of_slot, const Copy &copy) {
  if (is_tuple(t)) {
    for (const type m : t->members) for_each_debug_slot(m, slot, of_slot, copy);
    return;
  }
  const std::size_t count = machine_types_of(t).size(), end = slot + count;
  if (is_array(t)) {
    const std::size_t n = t->dimensions, first = slot;
    for (std::size_t i = 0; i < 2; ++i) copy();
    for (std::size_t i = 0; i < 1 + n; ++i) of_slot(first + i);
    for (std::size_t i = 0; i < n; ++i) copy();
  } else {
    for (std::size_t i = slot; i < end; ++i) of_slot(i);
  }
  slot = end;
}

}  // namespace

void declare_debug_variable(translation &ctx, std::string_view name, variable_state &variable) {
  variable.debug_copies.clear();
  if (name.starts_with('#') || variable.slots.empty())
    return;  // a variable of the compiler, or one that exists only at compile time
  debug_variable s{std::string(name), variable.of, ctx.current->site, 0, {}};
  const auto &parameters = ctx.current->function.source.parameters;
  const auto parameter = std::ranges::find(parameters, name, &parameter::name);
  if (parameter != parameters.end()) s.argument = static_cast<std::uint32_t>(parameter - parameters.begin() + 1);
  std::size_t slot = 0;
  for_each_debug_slot(
      variable.of, slot, [&](std::size_t i) { s.slots.push_back(variable.slots[i]); },
      [&] {
        variable.debug_copies.push_back(ctx.ir.variable(machine_type::i64, "#" + s.name));
        s.slots.push_back(variable.debug_copies.back());
      });
  ctx.kernel.debug_variables.push_back(std::move(s));
}

void update_debug_copies(translation &ctx, const variable_state &variable, const value &v) {
  std::size_t next = 0;
  const auto set = [&](node n) {
    if (next < variable.debug_copies.size()) ctx.ir.set(variable.debug_copies[next++], n);
  };
  const std::function<void(const value &)> each = [&](const value &x) {
    for (const value &m : x.members) each(m);
    if (!is_array(x.of)) return;
    const node bytes = ctx.ir.size(std::int64_t(size_of(x.of->element)));
    set(elements(ctx, x));
    set(bytes);
    for (int d = 0; d < x.of->dimensions; ++d) set(ctx.ir.mul(stride(ctx, x, d), bytes));
  };
  each(v);
}

}  // namespace dpep::pykernel
