// Creates kernels of the JIT and array operations from the intermediate form.
#include <dpep/device.hpp>

#include "jit/compile/debug_registration.hpp"
#include "jit/launch/checks.hpp"
#include "jit/launch/plan.hpp"
#include "pykernel/compile.hpp"

namespace dpep::pykernel {

bool debugging_enabled() noexcept { return jit::debugging_enabled(); }

namespace {

jit::digest cache_key(const kernel_ir &c, bool line_tables) {
  std::string text = text_of(c, line_tables);
  for (const auto &external : c.externals) text += jit::digest_of(*external->library).hex();
  return jit::digest_of(std::string_view(text));
}

}  // namespace

kernel make_kernel(std::shared_ptr<const kernel_ir> c) {
  const bool line_tables = c->debug || jit::checks_enabled() || jit::loop_checks_enabled();
  const jit::digest key = cache_key(*c, line_tables);
  const std::string &name = c->name;
  return kernel(
      make_object<jit::kernel_object>(key, [c, line_tables] { return lower(*c, line_tables); }, name, c->debug));
}

std::string assembly_text(const kernel &k, int dimensions, bool grouped) {
  const auto &object = static_cast<const jit::kernel_object &>(*k.get());
  std::string text = object.assembly();
  if (!text.empty()) return text;
  geometry work;
  work.dimensions = static_cast<std::uint32_t>(dimensions);
  if (grouped) work.global = work.local = {64, 1, 1};
  k.prepare(device(), work);
  return object.assembly();
}

ref<const array::user_function> make_user_function(kernel_ir c, const std::vector<type> &arguments) {
  const bool line_tables = jit::checks_enabled();
  const std::string name = c.name;
  c.name += '.' + cache_key(c, line_tables).hex();
  std::vector<dtype> from;
  for (const type t : arguments) from.push_back(t->element);
  const dtype to = c.result;
  const std::string symbol = c.name;
  return make_object<array::user_function>(
      name, symbol, std::move(from), to,
      [ir = std::make_shared<const kernel_ir>(std::move(c)), line_tables](std::span<const unsigned char> module) {
        return define_in(module, *ir, line_tables);
      });
}

}  // namespace dpep::pykernel
