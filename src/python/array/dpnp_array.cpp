// Attributes and methods of dpnp.ndarray that usm_ndarray does not have, and conversions between the two types.
#include <algorithm>
#include <numeric>

#include <dpep/array_single_elements.hpp>
#include <dpep/array_views.hpp>

#include "array_slots.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

PyObject *transposed(PyObject *self, void *) noexcept {
  return guarded([&] {
    const ndarray &a = array_of(self);
    int reversed[max_dimensions];
    const int n = a.dimensions();
    for (int i = 0; i < n; ++i) reversed[i] = n - 1 - i;
    return wrap(array::permute(a, {reversed, static_cast<std::size_t>(n)}), package::dpnp);
  });
}

PyObject *as_dpctl_attribute(PyObject *self, void *) noexcept { return same_array(self, package::dpctl); }

PyObject *base(PyObject *self, void *) noexcept {
  return guarded([&] {
    std::optional<ndarray> whole = array::base_of_view(array_of(self));
    return whole ? wrap(std::move(*whole), package::dpnp) : Py_NewRef(Py_None);
  });
}

nb::object strided_view(nb::handle x, nb::handle shape, nb::handle strides) {
  const ndarray &a = array_argument(x, "as_strided", "x");
  const extents_argument lengths = shape_from(shape, "as_strided");
  const extents_argument steps = integers_from(strides, "as_strided", "strides");
  return to_python(array::strided_view(a, lengths, steps), package::dpnp);
}

nb::object view_as(nb::handle x, nb::handle type) {
  return to_python(array::view_as(array_argument(x, "view", "x"), dtype_from(type)), package::dpnp);
}

/// Makes the object refer to another array of the same dtype.
void replace(nb::handle self, nb::handle other) {
  auto *object = reinterpret_cast<python_array *>(self.ptr());
  static_cast<void>(array_of(self.ptr()));
  object->array = array_argument(other, "resize", "other");
  if (PyObject *same = object->as_dpctl) reinterpret_cast<python_array *>(same)->array = object->array;
}

nb::object get_array(nb::handle x) {
  array_argument(x, "get_array", "x");
  return as_package(x, package::dpctl);
}

/// The same array as an object of a class derived from dpnp.ndarray.
nb::object as_derived(nb::type_object cls, nb::handle x) {
  const ndarray &a = array_argument(x, "ndarray", "x");
  auto *type = reinterpret_cast<PyTypeObject *>(cls.ptr());
  if (!PyType_IsSubtype(type, types().of[static_cast<int>(package::dpnp)]))
    throw type_error("ndarray: cls must be a class derived from dpnp.ndarray, got " + text_of(nb::repr(cls)));
  PyObject *made = wrap_as(type, a);
  if (!made) throw nb::python_error();
  return nb::steal(made);
}

/// `x` as dpnp.ndarray: `x` itself if it is one, or `like` if that is a dpnp.ndarray of the same array.
nb::object as_dpnp(nb::handle x, nb::handle like) {
  const ndarray &a = array_argument(x, "dpnp", "x");
  if (!like.is_none() && is_array(like.ptr()) && package_of(like.ptr()) == package::dpnp && array_of(like.ptr()) == a)
    return nb::borrow(like);
  return as_package(x, package::dpnp);
}

nb::object item(nb::handle self) {
  if (is_array(self.ptr()))
    if (const element_value *v = value_of(self.ptr())) return nb::steal(to_python(array::number_in(v->bytes, v->type)));
  nb::object value = nb::steal(to_python(element_of(array_argument(self, "item", "self"), "item")));
  if (!value.is_valid()) throw nb::python_error();
  return value;
}

nb::object to_host(nb::handle self) { return to_numpy(array_argument(self, "asnumpy", "self")); }

PyGetSetDef list[] = {{"T", transposed, nullptr, "A view with the axes in reverse order.", nullptr},
                      {"base", base, nullptr,
                       "All elements of the memory that the array is a view of, an array with one axis; None if the\n"
                       "array has them all. Unlike NumPy's, not the object that the view was made from: compare\n"
                       "arrays by `dpnp.shares_memory`.",
                       nullptr},
                      {"_array_obj", as_dpctl_attribute, nullptr, "The same array as a usm_ndarray.", nullptr},
                      {"__usm_ndarray__", as_dpctl_attribute, nullptr, "The same array as a usm_ndarray.", nullptr},
                      {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyGetSetDef *dpnp_attributes() noexcept { return list; }

void bind_dpnp_array(nb::module_ &m) {
  const nb::handle scope(reinterpret_cast<PyObject *>(types().of[static_cast<int>(package::dpnp)]));
  nb::cpp_function_def(
      get_array, nb::scope(scope), nb::name("get_array"), nb::is_method(),
      nb::sig("def get_array(self) -> dpctl.tensor.usm_ndarray"),
      "Return a usm_ndarray that shares this array's memory: the same object at each call, and the object that this\n"
      "array was created from, if any.");
  nb::cpp_function_def(to_host, nb::scope(scope), nb::name("asnumpy"), nb::is_method(),
                       nb::sig("def asnumpy(self) -> numpy.ndarray"),
                       "Return a new NumPy array with the elements. Waits for them.");
  nb::cpp_function_def(item, nb::scope(scope), nb::name("_item"), nb::is_method(),
                       nb::sig("def _item(self) -> complex"), "Return the element of an array of size 1.");
  m.def("strided_view", strided_view, nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def strided_view(x: ndarray, shape: int | tuple[int, ...], strides: int | tuple[int, ...], /) -> "
                "ndarray"),
        "Return a view from the array's first element with the given strides, in elements. Raises ValueError for a\n"
        "view beyond the array's memory.");
  m.def("view_as", view_as, nb::arg(), nb::arg(), nb::sig("def view_as(x: ndarray, dtype: object, /) -> ndarray"),
        "Return the bytes of the elements as elements of another dtype.");
  m.def("replace", replace, nb::arg(), nb::arg(), nb::sig("def replace(self: ndarray, other: ndarray, /) -> None"),
        "Make an array object refer to another array of the same dtype.");
  m.def("as_derived", as_derived, nb::arg(), nb::arg(), nb::sig("def as_derived(cls: type, x: object, /) -> ndarray"),
        "Return an object of a class derived from dpnp.ndarray that shares the array's memory.");
  m.def("as_dpnp", as_dpnp, nb::arg(), nb::arg() = nb::none(),
        nb::sig("def as_dpnp(x: object, like: object = None, /) -> ndarray"),
        "Return a dpnp.ndarray that shares the array's memory: `like` if it is one.");
}

}  // namespace dpep::python
