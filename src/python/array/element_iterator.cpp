// The iterator over the elements of a dpnp.ndarray with one axis.
#include <new>

#include <dpep/array_indexing.hpp>

#include "array_slots.hpp"

namespace dpep::python {
namespace {

struct iterator {
  PyObject_HEAD array::element_sequence elements;
  std::int64_t next;
};

PyTypeObject *&iterator_type() noexcept {
  static constinit PyTypeObject *type = nullptr;
  return type;
}

void deallocate(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  reinterpret_cast<iterator *>(self)->elements.~element_sequence();
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject *next(PyObject *self) noexcept {
  auto &i = *reinterpret_cast<iterator *>(self);
  if (i.next >= i.elements.array().size()) return nullptr;  // StopIteration
  return guarded([&] {
    const std::int64_t at = i.next++;
    PyObject *const made = read_value(i.elements.array(), {&at, 1});
    return made || PyErr_Occurred() ? made : wrap_element(i.elements[at]);
  });
}

PyObject *length_hint(PyObject *self, PyObject *) noexcept {
  const auto &i = *reinterpret_cast<iterator *>(self);
  return PyLong_FromLongLong(i.elements.array().size() - i.next);
}

PyMethodDef methods[] = {{"__length_hint__", length_hint, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_dealloc, slot(deallocate)},
                       {Py_tp_iter, slot(PyObject_SelfIter)},
                       {Py_tp_iternext, slot(next)},
                       {Py_tp_methods, methods},
                       {0, nullptr}};

}  // namespace

PyObject *element_iterator(PyObject *x) noexcept {
  // Elements are read by this thread, once the array is computed.
  try {
    if (is_host_accessible(array_of(x))) wait_for_queue_of(array_of(x));
  } catch (...) {
    set_current_exception();
    return nullptr;
  }
  PyObject *made = iterator_type()->tp_alloc(iterator_type(), 0);
  if (!made) return nullptr;
  auto *i = reinterpret_cast<iterator *>(made);
  new (&i->elements) array::element_sequence(array_of(x));
  i->next = 0;
  return made;
}

void bind_element_iterator() {
  PyType_Spec spec = {"dpnp.element_iterator", sizeof(iterator), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject *type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  iterator_type() = reinterpret_cast<PyTypeObject *>(type);  // lives as long as the process
}

}  // namespace dpep::python
