// Device functions as functions of their own, for debuggers: gdb looks for `break file:function` among those only, and
// knows no `finish` for what is translated in place.
#include <algorithm>

#include "jit/launch/hash.hpp"
#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {
namespace {

bool is_number(type t) { return is_scalar(t) && !is_complex(t->element); }

/// Ends the kernel, which only the kernel's own code can do.
bool ends_kernel(const code &c) {
  return std::ranges::any_of(c.instructions, [](const instruction &i) {
    return i.what == operation::fail || i.what == operation::fail_index;
  });
}

}  // namespace

const translator::function_apart &translator::find_apart(const callable &f, const std::vector<type> &types) {
  const auto [found, is_new] = apart_.try_emplace({&f, types});
  function_apart &made = found->second;
  if (!is_new) return made;
  request inner{.function = f, .arguments = types, .check = asked.check, .debug = true, .elementwise = true};
  inner.callers = asked.callers;
  for (const frame *x = here; x; x = x->caller) inner.callers.push_back(&x->function);
  std::shared_ptr<const code> translated;
  try {
    translated = translate(inner);
  } catch (const compile_error &) {
    return made;  // it needs the kernel around it, or has a mistake: translating it in place will say which
  }
  if (!is_number(translated->result_type) || ends_kernel(*translated)) return made;
  code named = *translated;
  named.name += '.' + jit::digest_of(std::string_view(pykernel::text_of(named, true))).hex();
  made.result = named.result_type;
  made.function = std::make_shared<const external_function>(
      external_function{named.name,
                        scalar_type(named.result),
                        types,
                        {},
                        std::make_shared<const std::vector<unsigned char>>(lower(named, true))});
  return made;
}

std::optional<value> translator::call_apart(const callable &f, const std::vector<value> &given,
                                            const std::vector<type> &types) {
  if (!asked.debug || !std::ranges::all_of(types, is_number)) return std::nullopt;
  const function_apart &apart = find_apart(f, types);
  if (!apart.function) return std::nullopt;
  const auto &externals = code_.externals;
  if (std::ranges::find(externals, apart.function->name, [](const auto &e) { return e->name; }) == externals.end())
    code_.externals.push_back(apart.function);
  std::vector<node> list;
  for (const value &v : given) {
    const node n = v.parts[0];
    list.push_back(b.type_of(n) == machine::i1 ? b.cast(operation::zext, machine::i8, n) : n);
  }
  const bool truth = apart.result->element == dtype::boolean;
  node result = b.call(truth ? machine::i8 : machine_of(apart.result->element), apart.function->name, list);
  if (truth) result = b.compare(operation::ne, result, b.integer(machine::i8, 0));
  return value{.of = apart.result, .parts = {result}};
}

}  // namespace dpep::pykernel
