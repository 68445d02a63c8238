// The methods of arrays, other than operators.
#include "../html.hpp"
#include "array_slots.hpp"
#include "numpy_types.hpp"

namespace dpep::python {

nb::object to_complex(nb::handle self);  // scalars.cpp

namespace {

python_array &object_of(nb::handle self) {
  array_argument(self, "array method", "self");
  return *reinterpret_cast<python_array *>(self.ptr());
}

nb::object array_namespace(nb::handle self, nb::handle version) {
  const python_array &o = object_of(self);
  const nb::object module =
      o.array_namespace
          ? nb::borrow(o.array_namespace)
          : nb::object(nb::module_::import_(package_of(self.ptr()) == package::dpnp ? "dpnp" : "dpctl.tensor"));
  if (version.is_none()) return module;
  if (!PyUnicode_Check(version.ptr()))
    throw type_error("__array_namespace__: Expected type str for api_version, got " + type_of(version));
  const nb::object known = nb::getattr(module, "__array_api_version__", nb::none());
  if (!known.is_none() && !known.equal(version))
    throw value_error("__array_namespace__: Only " + text_of(nb::str(known)) + " is supported, got api_version " +
                      text_of(version));
  return module;
}

void set_namespace(nb::handle self, nb::handle module) {
  python_array &o = object_of(self);
  PyObject *before = o.array_namespace;
  o.array_namespace = Py_NewRef(module.ptr());
  Py_XDECREF(before);
}

nb::object to_device(nb::handle self, nb::handle device, nb::handle stream) {
  const ndarray &a = object_of(self).array;
  if (!stream.is_none() && !nb::isinstance<queue>(stream))
    throw type_error("to_device: stream must be a SyclQueue or None, got " + type_of(stream));  // as in dlpack.cpp
  const queue where = queue_from(device, nb::none());
  if (where == a.get_queue()) return nb::borrow(self);
  if (where.get_context() == a.get_queue().get_context() && where.get_device() == a.get_queue().get_device()) {
    // A view of the same memory, valid once all work submitted to the former queue is complete.
    wait_for_queue_of(a);
    const auto memory = exposed(a);
    return to_python(array::view_of_memory(memory.base, memory.bytes, memory.offset, a.shape(), a.strides(), a.type(),
                                           {where, a.memory_kind()}, memory.owner, a.writable()),
                     package_of(self.ptr()));
  }
  return to_python(array::to_placement(a, {where, a.memory_kind()}), package_of(self.ptr()));
}

/// The elements as text, with shape, dtype, kind of memory and device.
std::string notebook_text(nb::handle self) {
  const ndarray &a = object_of(self).array;
  const nb::object shape = self.attr("shape");
  return "<pre>" + escaped(text_of(nb::repr(self))) + "</pre><div>shape " + escaped(text_of(nb::repr(shape))) +
         ", dtype " + std::string(name_of(a.type())) + ", usm_type " + std::string(name_of(a.memory_kind())) + ", on " +
         escaped(a.get_queue().get_device().info().name) + "</div>";
}

/// Python's format of the number in a 0-d array. Other arrays support only the empty format.
nb::object formatted(nb::handle self, nb::handle format) {
  const ndarray &a = object_of(self).array;
  if (!PyUnicode_Check(format.ptr())) throw type_error("format: format_spec must be a str, got " + type_of(format));
  if (PyUnicode_GET_LENGTH(format.ptr()) == 0) return nb::str(self);
  if (a.dimensions() != 0)
    throw type_error("format: '" + text_of(nb::str(format)) + "' is for numbers and 0-d arrays, got an array of " +
                     std::to_string(a.dimensions()) + " dimensions");
  const nb::object number = nb::steal(to_python(element_of(a, "format")));
  PyObject *text = PyObject_Format(number.ptr(), format.ptr());
  if (!text) throw nb::python_error();
  return nb::steal(text);
}

/// Python's `round` of the element of an array of size 1.
nb::object rounded(nb::handle self, nb::handle digits) {
  object_of(self);  // checks the type
  const nb::object number = number_of(self, "round");
  const nb::object round = nb::module_::import_("builtins").attr("round");
  return digits.is_none() ? round(number) : round(number, digits);
}

nb::object copied(nb::handle self) {
  return to_python(array::copy(object_of(self).array, kept_order(package_of(self.ptr()))), package_of(self.ptr()));
}

nb::object reduce(nb::handle self) {
  const ndarray &a = object_of(self).array;
  const nb::object restore = nb::module_::import_("dpctl.tensor._usmarray").attr("_restore");
  return nb::make_tuple(restore, nb::make_tuple(nb::handle(reinterpret_cast<PyObject *>(Py_TYPE(self.ptr()))),
                                                to_numpy(a), name_of(a.memory_kind())));
}

}  // namespace

void bind_methods(PyTypeObject *type) {
  const nb::handle scope(reinterpret_cast<PyObject *>(type));
  const auto method = [&](const char *name, auto &&function, const auto &...extra) {
    nb::cpp_function_def(function, nb::scope(scope), nb::name(name), nb::is_method(), extra...);
  };
  method("__array_namespace__", array_namespace, nb::kw_only(), "api_version"_a = nb::none(),
         nb::sig("def __array_namespace__(self, /, *, api_version: str | None = None) -> object"),
         "Return the module with the functions of the array API standard for this array.\n\n"
         "Raises ValueError for an `api_version` that the module does not implement.");
  method("_set_namespace", set_namespace, nb::arg("mod").none(),
         nb::sig("def _set_namespace(self, mod: object, /) -> None"), "Set the result of __array_namespace__.");
  method("to_device", to_device, nb::arg("target_device").none(), nb::kw_only(), "stream"_a = nb::none(),
         nb::sig("def to_device(self, target_device: object, /, *, stream: object = None) -> usm_ndarray"),
         "Return the array on another device or queue.\n\n"
         "Parameters\n----------\n"
         "target_device : Device, SyclQueue, SyclDevice or str\n    Device or queue of the result.\n"
         "stream : SyclQueue, optional\n    The queue that will use the result.\n\n"
         "Returns\n-------\n"
         "usm_ndarray\n"
         "    The array itself if it is on that queue; a view of the same memory on another queue of the same device\n"
         "    and context; else a copy.\n\n"
         "Raises\n------\n"
         "TypeError\n    When `stream` is not a SyclQueue.\n"
         "ValueError, SyclDeviceCreationError\n    As `Device.create_device`.");
  bind_numpy_conversion(type);
  method("__format__", formatted, nb::arg("format_spec"), nb::sig("def __format__(self, format_spec: str, /) -> str"),
         "Return the formatted number in a 0-d array. Other arrays support only the empty format.");
  method("__round__", rounded, nb::arg("ndigits").none() = nb::none(),
         nb::sig("def __round__(self, ndigits: int | None = None, /) -> int | float"),
         "Return the element of an array of size 1, rounded by Python's `round`.");
  method("__complex__", to_complex, nb::sig("def __complex__(self, /) -> complex"));
  method("__copy__", copied, nb::sig("def __copy__(self, /) -> usm_ndarray"));
  method(
      "__deepcopy__", [](nb::handle self, nb::handle) { return copied(self); }, nb::arg("memo").none(),
      nb::sig("def __deepcopy__(self, memo: object, /) -> usm_ndarray"));
  method("_repr_html_", notebook_text, nb::sig("def _repr_html_(self, /) -> str"),
         "Return an HTML representation for notebooks.");
  method("__reduce__", reduce, nb::sig("def __reduce__(self, /) -> tuple[object, tuple[object, ...]]"));
}

}  // namespace dpep::python
