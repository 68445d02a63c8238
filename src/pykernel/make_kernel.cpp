// From code to a kernel of the JIT.
#include "jit/checks.hpp"
#include "jit/plan.hpp"
#include "jit/show_code.hpp"
#include "pykernel/compile.hpp"

namespace dpep::pykernel {

bool debuggers_watch() noexcept { return jit::debuggers_watch(); }

kernel make_kernel(std::shared_ptr<const code> c) {
  const bool line_tables = c->debug || jit::checks_wanted();
  const std::string text = text_of(*c, line_tables);
  const jit::digest identity = jit::digest_of(std::string_view(text));
  const std::string &name = c->name;
  return kernel(
      make_object<jit::kernel_object>(identity, [c, line_tables] { return lower(*c, line_tables); }, name, c->debug));
}

}  // namespace dpep::pykernel
