// The module dpep._array, with the array types and functions of dpctl.tensor and dpnp.
#include "arrays.hpp"

namespace dpep::python {

void bind_arrays(nb::module_ &m) {
  bind_array_types(m);
  bind_array_functions(m);
}

}  // namespace dpep::python
