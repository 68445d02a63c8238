// The module dpep._array: everything that dpctl.tensor and dpnp are made of.
#include "arrays.hpp"

namespace dpep::python {

void bind_arrays(nb::module_ &m) {
  bind_array_types(m);
  bind_array_functions(m);
}

}  // namespace dpep::python
