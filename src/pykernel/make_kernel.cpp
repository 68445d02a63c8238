// From code to a kernel of the JIT.
#include "jit/show_code.hpp"
#include "pykernel/compile.hpp"

namespace dpep::pykernel {

kernel make_kernel(std::shared_ptr<const code> c) {
  return kernel::from_bitcode(lower(*c, jit::debuggers_watch()), c->name);
}

}  // namespace dpep::pykernel
