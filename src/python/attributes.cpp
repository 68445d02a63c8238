// The functions from which stubs get the signatures of attributes.
#include "attributes.hpp"

namespace dpep::python {
namespace {

PyObject *functions() {
  static PyObject *const all = PyDict_New();
  return all;
}

}  // namespace

void keep_signature(nb::handle type, const char *attribute, nb::object function) {
  const std::string name = std::string(nb::str(type.attr("__name__")).c_str()) + "." + attribute;
  if (PyDict_SetItemString(functions(), name.c_str(), function.ptr()) != 0) throw nb::python_error();
}

void bind_attribute_signatures(nb::module_ &m) { m.attr("_attribute_functions") = nb::borrow(functions()); }

}  // namespace dpep::python
