// Definition of the Python array types, and creation and destruction of their objects.
//
// These are not nanobind classes: an object then takes one small allocation and no entry in nanobind's table of
// instances, which would be a considerable part of the time to add two short arrays.
#include "array_slots.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include <structmember.h>

namespace dpep::python {
namespace {

/// Elements have the hash of their number, as NumPy's scalars; arrays have none.
Py_hash_t hash_of_element(PyObject *self) noexcept {
  if (!is_element(self)) return PyObject_HashNotImplemented(self);
  try {
    return PyObject_Hash(number_of(self, "hash").ptr());
  } catch (...) {
    set_current_exception();
    return -1;
  }
}

void deallocate(PyObject *self) {
  auto *o = reinterpret_cast<python_array *>(self);
  PyTypeObject *type = Py_TYPE(self);
  if (o->weak_references) PyObject_ClearWeakRefs(self);
  if (o->value) std::destroy_at(o->value);
  o->array.~ndarray();
  Py_XDECREF(o->array_namespace);
  Py_XDECREF(o->sycl_queue);
  Py_XDECREF(o->as_dpctl);
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef members[] = {{"__weaklistoffset__", T_PYSSIZET, offsetof(python_array, weak_references), READONLY, nullptr},
                         {nullptr, 0, 0, 0, nullptr}};

/// A new heap type derived from `base`, or from object for null.
PyTypeObject *make_type(const char *name, PyTypeObject *base, std::vector<PyType_Slot> slots, unsigned long flags) {
  slots.push_back({0, nullptr});
  flags |= Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  PyType_Spec spec = {name, sizeof(python_array), 0, static_cast<unsigned>(flags), slots.data()};
  const nb::object bases = base ? nb::steal(PyTuple_Pack(1, base)) : nb::object();
  PyObject *type = PyType_FromSpecWithBases(&spec, bases.ptr());
  if (!type) throw nb::python_error();
  return reinterpret_cast<PyTypeObject *>(type);  // lives as long as the process
}

PyTypeObject *make_base() {
  std::vector<PyType_Slot> slots = {{Py_tp_dealloc, slot(deallocate)},
                                    {Py_tp_members, members},
                                    {Py_tp_getset, attributes()},
                                    {Py_tp_hash, slot(hash_of_element)}};
  for (const auto some : {operator_slots(), index_slots(), conversion_slots()})
    slots.insert(slots.end(), some.begin(), some.end());
  PyTypeObject *type = make_type("dpep._array.array_base", nullptr, slots, Py_TPFLAGS_DISALLOW_INSTANTIATION);
  bind_methods(type);
  // NumPy's operators then return NotImplemented for these arrays instead of converting them.
  if (PyObject_SetAttrString(reinterpret_cast<PyObject *>(type), "__array_ufunc__", Py_None)) throw nb::python_error();
  return type;
}

constexpr const char *usm_ndarray_doc =
    "usm_ndarray(shape, dtype=None, strides=None, buffer='device', offset=0, order='C', buffer_ctor_kwargs={}, "
    "array_namespace=None)\n--\n\n"
    "An n-dimensional array of numbers in USM memory of a device.\n\n"
    "Functions such as `dpctl.tensor.asarray` and `dpctl.tensor.empty` create arrays. The constructor creates views "
    "of\n"
    "existing memory and arrays with arbitrary strides.\n\n"
    "Parameters\n----------\n"
    "shape : int or tuple of int\n    Length of each axis.\n"
    "dtype : dtype, optional\n    Data type. Default: the device's default floating-point type.\n"
    "strides : tuple of int, optional\n    Stride of each axis, in elements. Default: contiguous in `order`.\n"
    "buffer : str or object, optional\n"
    "    'device', 'shared' or 'host': allocate memory of that kind. An object of `dpctl.memory`, another array, or "
    "an\n"
    "    object with `__sycl_usm_array_interface__`: use its memory.\n"
    "offset : int, optional\n"
    "    Position of the first element in `buffer`, in elements. Ignored for new memory.\n"
    "order : {'C', 'F'}, optional\n    Row-major or column-major, when no strides are given.\n"
    "buffer_ctor_kwargs : dict, optional\n"
    "    Arguments of the allocation: `queue`, a SyclQueue, and `alignment`, in bytes.\n"
    "array_namespace : module, optional\n    Result of `__array_namespace__`. Default: dpctl.tensor.\n\n"
    "Raises\n------\n"
    "ValueError\n    When shape, strides and offset reach outside the memory; for an unknown order or kind of memory.\n"
    "TypeError\n    When `shape` is not an int or a tuple of ints, or `dtype` is not a data type of arrays.\n"
    "MemoryError\n    When memory runs out.\n\n"
    "Examples\n--------\n"
    ">>> import dpctl.tensor as dpt\n"
    ">>> x = dpt.usm_ndarray((2, 3), dtype='i4')\n"
    ">>> x[...] = 7\n"
    ">>> x.shape, x.dtype.name, x.usm_type\n"
    "((2, 3), 'int32', 'device')";

}  // namespace

PyObject *initialize(PyObject *object, ndarray &&array) noexcept {
  auto *self = reinterpret_cast<python_array *>(object);
  new (&self->array) ndarray(std::move(array));
  self->array_namespace = self->sycl_queue = self->as_dpctl = nullptr;
  self->weak_references = nullptr;
  self->element = false;
  self->value = nullptr;
  return object;
}

PyObject *wrap(ndarray array, package whose) noexcept {
  auto *object = static_cast<PyObject *>(PyObject_Malloc(sizeof(python_array)));
  if (!object) return PyErr_NoMemory();
  PyObject_Init(object, types().of[static_cast<int>(whose)]);
  return initialize(object, std::move(array));
}

PyObject *wrap_element(ndarray array) noexcept {
  PyObject *object = wrap(std::move(array), package::dpnp);
  if (object) reinterpret_cast<python_array *>(object)->element = true;
  return object;
}

PyObject *same_array(PyObject *x, package whose) noexcept {
  if (package_of(x) == whose) return Py_NewRef(x);
  if (whose == package::dpnp) {
    PyObject *made = wrap(array_of(x), whose);
    if (made) reinterpret_cast<python_array *>(made)->as_dpctl = Py_NewRef(x);
    return made;
  }
  PyObject *&kept = reinterpret_cast<python_array *>(x)->as_dpctl;
  if (!kept) kept = wrap(array_of(x), whose);
  return Py_XNewRef(kept);
}

PyObject *wrap_as(PyTypeObject *type, ndarray array) noexcept {
  PyObject *object = type->tp_alloc(type, 0);
  return object ? initialize(object, std::move(array)) : nullptr;
}

void bind_array_types(nb::module_ &m) {
  load_numpy();
  bind_device_class(m);
  bind_flags(m);
  array_types &t = types();
  t.base = make_base();
  t.of[0] = make_type("dpctl.tensor._usmarray.usm_ndarray", t.base,
                      {{Py_tp_doc, const_cast<char *>(usm_ndarray_doc)}, {Py_tp_new, slot(construct_array)}}, 0);
  // Its constructor and its other methods are in Python, in dpnp/_array.py and dpnp/_methods.py.
  t.of[1] = make_type("dpnp.ndarray", t.base, {{Py_tp_getset, dpnp_attributes()}}, Py_TPFLAGS_DISALLOW_INSTANTIATION);
  m.attr("array_base") = nb::handle(reinterpret_cast<PyObject *>(t.base));
  m.attr("usm_ndarray") = nb::handle(reinterpret_cast<PyObject *>(t.of[0]));
  m.attr("dpnp_ndarray") = nb::handle(reinterpret_cast<PyObject *>(t.of[1]));
  bind_element_iterator();
  bind_dlpack(m, t.base);
  bind_conversions(m);
  bind_array_c_interface(m);
}

}  // namespace dpep::python
