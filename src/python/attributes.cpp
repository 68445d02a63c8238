// The type of the descriptors of attributes, and the functions from which stubs get their signatures.
#include "attributes.hpp"

namespace dpep::python {
namespace {

PyObject *functions() {
  static PyObject *const all = PyDict_New();
  return all;
}

/// As CPython's getset_get, but does not search the object's base classes if the object is of the descriptor's type or
/// of one that is derived from it directly.
PyObject *read_attribute(PyObject *self, PyObject *object, PyObject *type) noexcept {
  const auto *const descriptor = reinterpret_cast<const PyGetSetDescrObject *>(self);
  const PyTypeObject *const wanted = descriptor->d_common.d_type;
  if (object && (Py_TYPE(object) == wanted || Py_TYPE(object)->tp_base == wanted)) [[likely]]
    return descriptor->d_getset->get(object, descriptor->d_getset->closure);
  return PyGetSetDescr_Type.tp_descr_get(self, object, type);
}

/// CPython's type of such descriptors, with another function that reads. The rest is inherited.
PyTypeObject *descriptor_type() {
  static PyTypeObject type = {};
  if (type.tp_descr_get) return &type;
  Py_SET_REFCNT(reinterpret_cast<PyObject *>(&type), 1);
  type.tp_name = "dpctl.attribute";
  type.tp_base = &PyGetSetDescr_Type;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE;
  type.tp_traverse = PyGetSetDescr_Type.tp_traverse;
  type.tp_descr_get = read_attribute;
  // PyType_Ready gives it a docstring of None, which hides the attributes' docstrings.
  if (PyType_Ready(&type) != 0 || PyDict_DelItemString(type.tp_dict, "__doc__") != 0) throw nb::python_error();
  PyType_Modified(&type);
  return &type;
}

}  // namespace

PyObject *make_descriptor(nb::handle type, PyGetSetDef *definition) {
  PyObject *const made = PyDescr_NewGetSet(reinterpret_cast<PyTypeObject *>(type.ptr()), definition);
  if (made) Py_SET_TYPE(made, descriptor_type());
  return made;
}

void keep_signature(nb::handle type, const char *attribute, nb::object function) {
  const std::string name = std::string(nb::str(type.attr("__name__")).c_str()) + "." + attribute;
  if (PyDict_SetItemString(functions(), name.c_str(), function.ptr()) != 0) throw nb::python_error();
}

void bind_attribute_signatures(nb::module_ &m) { m.attr("_attribute_functions") = nb::borrow(functions()); }

}  // namespace dpep::python
