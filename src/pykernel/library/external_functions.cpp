// Functions of other languages: declaration, check against their bitcode, and calls.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jit/compile/image_functions.hpp"
#include "pykernel/compile.hpp"
#include "pykernel/library/library.hpp"
#include "pykernel/translate/initialisation_checks.hpp"
#include "pykernel/translate/numbers.hpp"

namespace dpep::pykernel {
namespace {

/// LLVM's name of the type of a C parameter or result.
std::string machine_text(type t) {
  if (is_array(t)) return name_of(machine_type::pointer);
  if (t->what == type_properties::kind::none) return "void";
  return name_of(machine_type_of(t->element));
}

std::string signature_text(const external_function &f) {
  std::vector<std::string> list;
  for (const type p : f.parameters) list.push_back(is_array(p) ? std::string(name_of(p->element)) + "*" : text_of(p));
  return fmt::format("{}({})", text_of(f.result), fmt::join(list, ", "));
}

std::string defined_text(const jit::defined_function &f) {
  return fmt::format("{}({})", f.result, fmt::join(f.parameters, ", "));
}

[[noreturn]] void refuse_missing(const std::string &name, const std::vector<jit::defined_function> &all) {
  const auto same = std::ranges::find_if(all, [&](const auto &f) { return f.readable.starts_with(name + "("); });
  if (same != all.end())
    throw compile_error(error_kind::value, fmt::format("declare_device: the library defines {} under C++'s name {}: "
                                                       "declare it extern \"C\", or give that name",
                                                       same->readable, same->name));
  std::vector<std::string> names;
  for (const auto &f : all) names.push_back(f.readable);
  if (names.size() > 10) names.resize(10), names.push_back("…");
  throw compile_error(error_kind::value,
                      fmt::format("declare_device: the library does not define '{}'; it defines {}", name,
                                  names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

std::shared_ptr<const external_function> declare_external(std::string name, type result, std::vector<type> parameters,
                                                          std::vector<unsigned char> library) {
  const auto refuse_type = [&](type t, const char *what) {
    throw compile_error(error_kind::typing,
                        fmt::format("declare_device: {} of '{}' is {}: kernels exchange numbers that "
                                    "are not complex, and addresses of elements, with other languages",
                                    what, name, display_name(t)));
  };
  for (const type p : parameters)
    if (!is_array(p) && (!is_scalar(p) || is_complex(p->element))) refuse_type(p, "a parameter");
  if (result->what != type_properties::kind::none && (!is_scalar(result) || is_complex(result->element)))
    refuse_type(result, "the result");
  external_function f{std::move(name),
                      result,
                      std::move(parameters),
                      {},
                      std::make_shared<const std::vector<unsigned char>>(std::move(library))};
  const std::vector<jit::defined_function> all = [&] {
    try {
      return jit::functions_in(*f.library);
    } catch (const exception &e) {
      throw compile_error(error_kind::value,
                          fmt::format("declare_device: the library of '{}' cannot be read: {}", f.name, e.what()));
    }
  }();
  const auto found = std::ranges::find(all, f.name, &jit::defined_function::name);
  if (found == all.end()) refuse_missing(f.name, all);
  const bool fits = found->result == machine_text(f.result) &&
                    std::ranges::equal(found->parameters, f.parameters, {}, {}, machine_text);
  if (!fits)
    throw compile_error(error_kind::typing,
                        fmt::format("declare_device: '{}' is declared as {}, and the library defines it, in LLVM's "
                                    "types, as {}",
                                    f.name, signature_text(f), defined_text(*found)));
  f.only_read = found->only_read;
  return std::make_shared<const external_function>(std::move(f));
}

value call_external(translation &ctx, const std::shared_ptr<const external_function> &f, const arguments &a) {
  if (!a.keywords.empty())
    fail(ctx, error_kind::typing, a.call,
         fmt::format("{}() takes no keywords: pass the arguments by position", f->name));
  if (a.positional.size() != f->parameters.size())
    fail(ctx, error_kind::typing, a.call,
         fmt::format("{}() takes {} arguments, got {}", f->name, f->parameters.size(), a.positional.size()));
  if (f->name == ctx.kernel.name)
    fail(ctx, error_kind::value, a.call,
         fmt::format("the kernel and the function that it calls are both called {}: rename the kernel", f->name));
  const auto known = std::ranges::find(ctx.kernel.externals, f->name, [](const auto &e) { return e->name; });
  if (known == ctx.kernel.externals.end())
    ctx.kernel.externals.push_back(f);
  else if ((*known)->library != f->library && *(*known)->library != *f->library)
    fail(ctx, error_kind::value, a.call,
         fmt::format("two libraries define '{}': a kernel can call only one of them", f->name));
  std::vector<node> list;
  for (std::size_t i = 0; i < f->parameters.size(); ++i) {
    const type wanted = f->parameters[i];
    const value &v = a.positional[i];
    if (!is_array(wanted)) {
      if (!is_scalar(v.of))
        fail(ctx, error_kind::typing, a.call,
             fmt::format("argument {} of {}() must be {}, got {}", i + 1, f->name, display_name(wanted),
                         display_name(v.of)));
      list.push_back(convert(ctx, v, wanted, a.call).parts[0]);
      continue;
    }
    if (!is_array(v.of) || v.of->element != wanted->element || v.of->layout == 'A')
      fail(ctx, error_kind::typing, a.call,
           fmt::format("argument {} of {}() is the address of elements of type {}: pass a contiguous array of them, "
                       "got {}",
                       i + 1, f->name, name_of(wanted->element), display_name(v.of)));
    if (!v.of->writable && !f->only_read[i])
      fail(ctx, error_kind::typing, a.call,
           fmt::format("argument {} of {}(), which may write to it, is {}", i + 1, f->name, display_name(v.of)));
    if (!f->only_read[i]) mark_all(ctx, v, true);  // the function may write any element
    list.push_back(v.parts[0]);
  }
  if (f->result->what == type_properties::kind::none) return ctx.ir.call(machine_type::none, f->name, list), none();
  const dtype t = f->result->element;
  return scalar(ctx, t, ctx.ir.call(machine_type_of(t), f->name, list));
}

}  // namespace dpep::pykernel
