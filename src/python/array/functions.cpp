// dpctl.tensor's functions, as the submodule `tensor` of dpep._array.
#include "functions.hpp"

namespace dpep::python {

void bind_array_functions(nb::module_ &m) {
  nb::module_ tensor = m.def_submodule("tensor", "The functions of dpctl.tensor that are bound directly.");
  tensor.attr("__name__") = "dpctl.tensor";  // where users find them, which help() and pickles say
  bind_element_functions(tensor, package::dpctl);
  bind_creation(tensor);
  bind_manipulation(tensor);
  bind_selection(tensor);
  bind_reductions(tensor);
  bind_types(tensor);
  bind_pending_work(m);
}

}  // namespace dpep::python
