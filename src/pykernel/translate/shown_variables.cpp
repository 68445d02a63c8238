// What debuggers see: which function at which call an instruction is of, and the program's variables.
#include <algorithm>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {

void translator::enter_site(frame &f, const place &called_at) {
  if (!asked.debug || f.site_pass == pass_) return;  // a loop over a tuple translates its calls several times
  f.site_pass = pass_;
  f.site = static_cast<std::uint32_t>(code_.sites.size());
  const function_source &source = f.function.source;
  code_.sites.push_back(
      {source.name, source.file, source.at.line, f.caller ? f.caller->site : 0, f.caller ? called_at.line : 0});
}

namespace {

/// The parts that debuggers see: `of_slot` for one that the variable has, `mirror` for one that is made for them.
template <class OfSlot, class Mirror>
void each_shown_part(type t, std::size_t &slot, const OfSlot &of_slot, const Mirror &mirror) {
  if (is_tuple(t)) {
    for (const type m : t->members) each_shown_part(m, slot, of_slot, mirror);
    return;
  }
  const std::size_t count = machines_of(t).size(), end = slot + count;
  if (is_array(t)) {
    const std::size_t n = t->dimensions, first = slot;
    for (std::size_t i = 0; i < 2; ++i) mirror();
    for (std::size_t i = 0; i < 1 + n; ++i) of_slot(first + i);
    for (std::size_t i = 0; i < n; ++i) mirror();
  } else {
    for (std::size_t i = slot; i < end; ++i) of_slot(i);
  }
  slot = end;
}

}  // namespace

void translator::show(std::string_view name, variable_facts &variable) {
  variable.mirrors.clear();
  if (name.starts_with('#') || variable.slots.empty()) return;  // the compiler's own; or no machine has any of it
  shown_variable s{std::string(name), variable.of, here->site, 0, {}};
  const auto &parameters = here->function.source.parameters;
  const auto parameter = std::ranges::find(parameters, name, &parameter::name);
  if (parameter != parameters.end()) s.argument = static_cast<std::uint32_t>(parameter - parameters.begin() + 1);
  std::size_t slot = 0;
  each_shown_part(
      variable.of, slot, [&](std::size_t i) { s.slots.push_back(variable.slots[i]); },
      [&] {
        variable.mirrors.push_back(b.variable(machine::i64, "#" + s.name));
        s.slots.push_back(variable.mirrors.back());
      });
  code_.shown.push_back(std::move(s));
}

void translator::set_mirrors(const variable_facts &variable, const value &v) {
  std::size_t next = 0;
  const auto set = [&](node n) {
    if (next < variable.mirrors.size()) b.set(variable.mirrors[next++], n);
  };
  const std::function<void(const value &)> each = [&](const value &x) {
    for (const value &m : x.members) each(m);
    if (!is_array(x.of)) return;
    const node bytes = b.size(std::int64_t(size_of(x.of->element)));
    set(elements(x));
    set(bytes);
    for (int d = 0; d < x.of->dimensions; ++d) set(b.mul(stride(x, d), bytes));
  };
  each(v);
}

}  // namespace dpep::pykernel
