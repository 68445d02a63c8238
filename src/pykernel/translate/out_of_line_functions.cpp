// Device functions compiled out of line, for debuggers: gdb's `break file:function` and `finish` do not work for
// inlined functions.
#include "pykernel/translate/out_of_line_functions.hpp"

#include <algorithm>

#include "jit/launch/hash.hpp"

namespace dpep::pykernel {
namespace {

bool is_real_scalar(type t) { return is_scalar(t) && !is_complex(t->element); }

/// Whether the function can end the kernel with an error, which only works in inlined code.
bool ends_kernel(const kernel_ir &c) {
  return std::ranges::any_of(
      c.instructions, [](const instruction &i) { return i.what == operation::fail || i.what == operation::fail_with; });
}

const out_of_line_function &find_out_of_line(translation &ctx, const callable &f, const std::vector<type> &types) {
  const auto [found, is_new] = ctx.out_of_line.try_emplace({&f, types});
  out_of_line_function &made = found->second;
  if (!is_new) return made;
  compile_request inner{
      .function = f, .arguments = types, .check = ctx.request.check, .debug = true, .elementwise = true};
  inner.callers = ctx.request.callers;
  for (const frame *x = ctx.current; x; x = x->caller) inner.callers.push_back(&x->function);
  std::shared_ptr<const kernel_ir> translated;
  try {
    translated = translate(inner);
  } catch (const compile_error &) {
    return made;  // it uses the work-item, or has an error that inlining it will report
  }
  if (!is_real_scalar(translated->result_type) || ends_kernel(*translated)) return made;
  kernel_ir named = *translated;
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

}  // namespace

std::optional<value> call_out_of_line(translation &ctx, const callable &f, const std::vector<value> &given,
                                      const std::vector<type> &types) {
  if (!ctx.request.debug || !std::ranges::all_of(types, is_real_scalar)) return std::nullopt;
  const out_of_line_function &found = find_out_of_line(ctx, f, types);
  if (!found.function) return std::nullopt;
  const auto &externals = ctx.kernel.externals;
  if (std::ranges::find(externals, found.function->name, [](const auto &e) { return e->name; }) == externals.end())
    ctx.kernel.externals.push_back(found.function);
  std::vector<node> list;
  for (const value &v : given) {
    const node n = v.parts[0];
    list.push_back(ctx.ir.type_of(n) == machine_type::i1 ? ctx.ir.cast(operation::zext, machine_type::i8, n) : n);
  }
  const bool is_bool = found.result->element == dtype::boolean;
  node result =
      ctx.ir.call(is_bool ? machine_type::i8 : machine_type_of(found.result->element), found.function->name, list);
  if (is_bool) result = ctx.ir.compare(operation::ne, result, ctx.ir.integer(machine_type::i8, 0));
  return value{.of = found.result, .parts = {result}};
}

}  // namespace dpep::pykernel
