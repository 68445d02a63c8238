// The module dpep._kernel: the compiler and launcher that numba_dpex uses.
#include "kernels.hpp"

namespace dpep::python {

void bind_kernels(nb::module_ &m) {
  bind_kernel_registry(m);
  bind_kernel_function(m);
  bind_external_functions(m);
  bind_vectorized_function(m);
  bind_kernel_launch(m);
  bind_compiled_loops(m);
  bind_syntax_nodes(m);
}

}  // namespace dpep::python
