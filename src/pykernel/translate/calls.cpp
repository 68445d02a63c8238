// Calls: who is called, with which arguments; device functions in place.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "pykernel/translate/translator.hpp"

namespace dpep::pykernel {

arguments translator::evaluate_arguments(const expression &e, std::string name) {
  arguments a{e, std::move(name), {}, {}};
  const std::size_t count = e.parts.size() - 1, positional = count - e.names.size();
  for (std::size_t i = 0; i < count; ++i) {
    const expression &part = *e.parts[i + 1];
    if (part.what == expression::kind::other && part.text == "Starred") {
      const value v = evaluate(*part.parts[0]);
      if (!is_tuple(v.of))
        fail(mistake::typing, part, fmt::format("only tuples can be written out with *, got {}", described(v.of)));
      a.positional.insert(a.positional.end(), v.members.begin(), v.members.end());
    } else if (i < positional) {
      a.positional.push_back(evaluate(part));
    } else {
      if (e.names[i - positional].empty())
        fail(mistake::unsupported, part, "kernels have no keyword dictionaries: write the arguments out");
      a.keywords.emplace_back(e.names[i - positional], evaluate(part));
    }
  }
  b.line = e.at.line;
  return a;
}

const value *translator::take(const arguments &a, std::size_t position, std::string_view name) const {
  if (position < a.positional.size()) return &a.positional[position];
  for (const auto &[key, v] : a.keywords)
    if (key == name) return &v;
  return nullptr;
}

const value &translator::need(const arguments &a, std::size_t position, std::string_view name) const {
  if (const value *v = take(a, position, name)) return *v;
  fail(mistake::typing, a.call, fmt::format("{}() lacks its argument '{}'", a.function, name));
}

void translator::expect_count(const arguments &a, std::size_t least, std::size_t most) const {
  const std::size_t given = a.positional.size() + a.keywords.size();
  if (given >= least && given <= most) return;
  fail(mistake::typing, a.call,
       least == most ? fmt::format("{}() takes {} argument{}, got {}", a.function, least, least == 1 ? "" : "s", given)
                     : fmt::format("{}() takes {} to {} arguments, got {}", a.function, least, most, given));
}

dtype translator::data_type(const value &v, const expression &at) const {
  if (v.object && v.object->what == entity::kind::data_type) return v.object->element;
  if (v.of->what == type_facts::kind::text)
    if (const auto t = type_from_text(v.text); t && is_scalar(*t)) return (*t)->element;
  fail(mistake::typing, at,
       fmt::format("a dtype is wanted, such as numpy.float32 or a.dtype, got {}", described(v.of)));
}

std::optional<std::pair<value, std::string>> translator::method_of(const expression &target) {
  using kinds = expression::kind;
  if (target.what == kinds::attribute) return std::pair(evaluate(*target.parts[0]), target.text);
  // getattr(x, "name"), with a constant name
  if (target.what == kinds::call && target.parts.size() == 3 && target.parts[0]->what == kinds::name &&
      target.parts[0]->text == "getattr") {
    const value name = evaluate(*target.parts[2]);
    if (name.of->what != type_facts::kind::text) fail(mistake::typing, target, "getattr() takes a constant name");
    return std::pair(evaluate(*target.parts[1]), name.text);
  }
  return std::nullopt;
}

/// Why the first parameter may be something else than its kernel expects.
std::string translator::launched_with() const {
  const std::size_t parameters = root_->function.source.parameters.size(), given = asked.arguments.size();
  const bool first_is_item = given && is_item(asked.arguments[0]);
  if (asked.elementwise || given != parameters || given == 0 || here != root_.get()) return "";
  return first_is_item
             ? fmt::format(": the kernel has {} parameters and was launched with {} argument{}, so the first is the "
                           "work-item",
                           parameters, given - 1, given == 2 ? "" : "s")
             : fmt::format(": the kernel has {} parameters and was launched with {} arguments; with a work-item as its "
                           "first, it takes {}",
                           parameters, given, given - 1);
}

value translator::call(const expression &e) {
  const expression &target = *e.parts[0];
  // a method of a value, or a function found as a module's attribute
  if (const auto method = method_of(target)) {
    const auto &[of, name] = *method;
    const bool is_module = of.object && of.object->what == entity::kind::object;
    const bool is_type = of.object && of.object->what == entity::kind::data_type && name == "type";
    if (!is_module && !is_type) {
      if (asks_of_items(name) && !is_item(of.of))
        fail(mistake::typing, e,
             fmt::format("{} is {}, no work-item, so it has no method '{}'{}", text_of(*target.parts[0]),
                         described(of.of), name, launched_with()));
      arguments a = evaluate_arguments(e, name);
      switch (of.of->what) {
      case type_facts::kind::item:
      case type_facts::kind::nd_item:
      case type_facts::kind::group:
      case type_facts::kind::sub_group:
        return item_method(of, name, a);
      case type_facts::kind::atomic:
        return atomic_method(of, name, a);
      case type_facts::kind::scalar:
        return number_method(of, name, a);
      default:
        break;
      }
      fail(mistake::unsupported, e,
           fmt::format("{} has no method '{}' in kernels{}", described(of.of), name,
                       is_array(of.of) ? ": kernels compute with elements; write a loop" : ""));
    }
  }
  const value callee = evaluate(target);
  if (!callee.object)
    fail(mistake::typing, target,
         fmt::format("{} is {}, which cannot be called", text_of(target), described(callee.of)));
  const entity &f = *callee.object;
  switch (f.what) {
  case entity::kind::builtin: {
    arguments a = evaluate_arguments(e, f.text.substr(f.text.rfind('.') + 1));
    return call_builtin(f.text, a);
  }
  case entity::kind::data_type: {
    const arguments a = evaluate_arguments(e, text_of(target));
    expect_count(a, 0, is_complex(f.element) ? 2 : 1);
    if (a.positional.empty()) return convert(integer(0), scalar_type(f.element, f.weak), e);
    if (a.positional.size() == 2) {
      const type part = scalar_type(real_of(f.element), f.weak);
      return {.of = scalar_type(f.element, f.weak),
              .parts = {convert(a.positional[0], part, e).parts[0], convert(a.positional[1], part, e).parts[0]}};
    }
    if (!is_scalar(a.positional[0].of))
      fail(mistake::typing, e,
           fmt::format("{}() takes a number, got {}", text_of(target), described(a.positional[0].of)));
    if (f.element == dtype::boolean) return scalar(dtype::boolean, truth(a.positional[0], e), f.weak);
    return convert(a.positional[0], scalar_type(f.element, f.weak), e);
  }
  case entity::kind::record: {
    arguments a = evaluate_arguments(e, f.text);
    std::vector<value> members;
    for (std::size_t i = 0; i < f.names.size(); ++i) members.push_back(need(a, i, f.names[i]));
    expect_count(a, f.names.size(), f.names.size());
    return tuple(std::move(members), f.names, f.text);
  }
  case entity::kind::function: {
    arguments a = evaluate_arguments(e, f.function->source.name);
    return call_function(*f.function, std::move(a.positional), std::move(a.keywords), e);
  }
  case entity::kind::external:
    return call_external(f.external, evaluate_arguments(e, f.external->name));
  default:
    break;
  }
  fail(mistake::unsupported, target,
       fmt::format("{} cannot be called in a kernel: call functions of math and numpy, kernel_api's, and your own that "
                   "are decorated with device_func",
                   text_of(target)));
}

value translator::call_function(const callable &f, std::vector<value> positional,
                                std::vector<std::pair<std::string, value>> keywords, const expression &at) {
  std::vector<const callable *> callers = asked.callers;
  for (const frame *x = here; x; x = x->caller) callers.push_back(&x->function);
  for (const callable *caller : callers)
    if (caller == &f)
      fail(mistake::unsupported, at,
           fmt::format("'{}' calls itself: kernels have no recursion; write a loop, with a PrivateArray as a stack",
                       f.source.name));
  const auto &parameters = f.source.parameters;
  if (positional.size() > parameters.size())
    fail(mistake::typing, at,
         fmt::format("{}() takes {} arguments, got {}", f.source.name, parameters.size(), positional.size()));
  std::vector<std::optional<value>> given(parameters.size());
  for (std::size_t i = 0; i < positional.size(); ++i) given[i] = std::move(positional[i]);
  for (auto &[name, v] : keywords) {
    const auto p = std::ranges::find(parameters, name, &parameter::name);
    if (p == parameters.end())
      fail(mistake::typing, at, fmt::format("{}() has no parameter '{}'", f.source.name, name));
    const auto i = std::size_t(p - parameters.begin());
    if (given[i]) fail(mistake::typing, at, fmt::format("{}() got two values for '{}'", f.source.name, name));
    given[i] = std::move(v);
  }
  const std::size_t required = parameters.size() - f.defaults.size();
  std::vector<type> types;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) {
      if (i < required)
        fail(mistake::typing, at, fmt::format("{}() lacks its argument '{}'", f.source.name, parameters[i].name));
      given[i] = constant(f.defaults[i - required], at);
    }
    types.push_back(given[i]->of);
  }
  if (!f.signatures.empty()) {
    const auto exact = std::ranges::find(f.signatures, types);
    const std::vector<type> &wanted = exact != f.signatures.end() ? *exact : f.signatures.front();
    if (wanted.size() != types.size())
      fail(mistake::typing, at,
           fmt::format("{}() has a signature of {} types, got {} arguments", f.source.name, wanted.size(),
                       types.size()));
    for (std::size_t i = 0; i < types.size(); ++i) given[i] = convert(*given[i], wanted[i], at);
    types = wanted;
  }
  std::vector<value> values;
  for (auto &v : given) values.push_back(*std::move(v));
  if (std::optional<value> result = call_apart(f, values, types)) return *std::move(result);
  std::unique_ptr<frame> &inner = here->calls[{&at, types}];
  if (!inner) {
    inner = std::make_unique<frame>(f);
    collect_locals(*inner, f.source.body);
    for (const parameter &p : parameters) inner->locals.insert(p.name);
  }
  inner->caller = here;
  inner->called_at = at.at;
  inner->end_scope = b.new_scope();
  here = inner.get();
  enter_site(*inner, at.at);
  const std::uint8_t outer_math = std::exchange(b.fast, f.fast_math);
  for (std::size_t i = 0; i < values.size(); ++i) assign(parameters[i].name, values[i], at);
  b.scope(inner->end_scope, [&] {
    // a break point on the function stands behind its parameters' assignments, which are still the call's
    const std::uint32_t outside = std::exchange(b.site, inner->site);
    body(f.source.body);
    b.site = outside;
  });
  b.fast = outer_math;
  value result = none();
  if (const auto r = inner->variables.find("#result"); r != inner->variables.end() && r->second.of)
    result = read("#result", at);
  here = inner->caller;
  b.line = at.at.line;
  return result;
}

value translator::call_builtin(const std::string &name, arguments &a) {
  if (auto v = python_function(name, a)) return *v;
  if (auto v = math_function(name, a)) return *v;
  if (asked.elementwise && !name.ends_with("PrivateArray") && !name.ends_with("private_array"))
    fail(mistake::unsupported, a.call,
         fmt::format("{}() is not for functions of elements, which see a number of each operand and no work-items: "
                     "write a kernel",
                     a.function));
  if (auto v = kernel_function(name, a)) return *v;
  if (auto v = group_function(name, a)) return *v;
  if (auto v = atomic_function(name, a)) return *v;
  fail(mistake::unsupported, a.call,
       fmt::format("{} is not available in kernels{}", name,
                   name.starts_with("numpy.") || name.starts_with("dpnp.") || name.starts_with("dpctl.tensor.")
                       ? ": kernels compute with numbers; make arrays outside, and pass them"
                       : ""));
}

}  // namespace dpep::pykernel
