// From code to a kernel of the JIT.
#include <dpep/device.hpp>

#include "jit/checks.hpp"
#include "jit/plan.hpp"
#include "jit/show_code.hpp"
#include "pykernel/compile.hpp"

namespace dpep::pykernel {

bool debuggers_watch() noexcept { return jit::debuggers_watch(); }

kernel make_kernel(std::shared_ptr<const code> c) {
  const bool line_tables = c->debug || jit::checks_wanted();
  std::string identified = text_of(*c, line_tables);
  for (const auto &external : c->externals) identified += jit::digest_of(*external->library).hex();
  const jit::digest identity = jit::digest_of(std::string_view(identified));
  const std::string &name = c->name;
  return kernel(
      make_object<jit::kernel_object>(identity, [c, line_tables] { return lower(*c, line_tables); }, name, c->debug));
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

}  // namespace dpep::pykernel
