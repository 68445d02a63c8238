// `__signature__` of bound functions, methods and classes, for inspect.signature.
#include "bindings.hpp"

namespace dpep::python {
namespace {

/// Adds a read-only property to a type of nanobind, which does not allow to set attributes.
void add_signature(PyTypeObject *type, const char *function) {
  const nb::object property =
      nb::module_::import_("builtins")
          .attr("property")(nb::cpp_function(
              [function](nb::handle self) { return nb::module_::import_("dpep._signatures").attr(function)(self); },
              nb::arg().none()));
  if (PyDict_SetItemString(type->tp_dict, "__signature__", property.ptr()) != 0) throw nb::python_error();
  PyType_Modified(type);
}

}  // namespace

void bind_signatures(nb::module_ &m) {
  const nb::object queue_type = m.attr("SyclQueue"), method = queue_type.attr("memcpy");
  add_signature(Py_TYPE(nb::object(m.attr("release_finished")).ptr()), "of_function");
  add_signature(Py_TYPE(method.ptr()), "of_function");
  const nb::object bound = method.attr("__get__")(m, m.type());  // bound to any object
  add_signature(Py_TYPE(bound.ptr()), "of_method");
  add_signature(Py_TYPE(queue_type.ptr()), "of_class");
}

}  // namespace dpep::python
