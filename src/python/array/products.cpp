// Products of matrices, vectors and tensors: matmul, tensordot, vecdot, and the operator @.
#include <dpep/array_products.hpp>

#include <algorithm>
#include <climits>

#include "array_slots.hpp"
#include "functions.hpp"
#include "products_docs.hpp"

namespace dpep::python {
namespace {

/// Products take long for few elements: many of these are used several times.
template <class F> auto multiplying(const ndarray &x1, const ndarray &x2, F &&f) {
  return computing(16 * std::max(x1.size(), x2.size()), f);
}

/// NotImplemented, so that Python tries the other operand's type. ValueError for a number beside an array of dpnp, as
/// in NumPy: a product of matrices needs an axis.
PyObject *no_product(PyObject *a, PyObject *b) {
  const bool dpnp = package_of(is_array(a) ? a : b) == package::dpnp;
  if (PyObject *const other = is_array(a) ? b : a; dpnp && number_from(other))
    throw value_error("matmul: expected arrays with at least one axis, got " + type_of(other));
  Py_RETURN_NOTIMPLEMENTED;
}

package common_package(nb::handle x1, nb::handle x2) { return std::max(package_of(x1.ptr()), package_of(x2.ptr())); }

nb::object matmul(nb::handle x1, nb::handle x2, nb::handle out, nb::handle type, nb::handle order) {
  const ndarray &a = array_argument(x1, "matmul", "x1"), &b = array_argument(x2, "matmul", "x2");
  const array::product_options options{.type = optional_dtype(type),
                                       .layout = order_in(common_package(x1, x2), lenient_order(order)),
                                       .out = optional_array(out, "matmul", "out")};
  ndarray result = multiplying(a, b, [&] { return array::matmul(a, b, options); });
  return options.out ? nb::borrow(out) : to_python(std::move(result), common_package(x1, x2));
}

/// The axes of one array: an int or a sequence of ints.
std::vector<int> axes_of(nb::handle axes, const ndarray &x) {
  const extents_argument given = integers_from(axes, "tensordot", "axes");
  std::vector<int> list;
  for (const std::int64_t axis : array::extents(given))
    list.push_back(array::normalized_axis(axis, x.dimensions(), "tensordot"));
  return list;
}

nb::object tensordot(nb::handle x1, nb::handle x2, nb::handle axes) {
  const ndarray &a = array_argument(x1, "tensordot", "x1"), &b = array_argument(x2, "tensordot", "x2");
  const package whose = common_package(x1, x2);
  if (PyIndex_Check(axes.ptr())) {
    const Py_ssize_t count = PyNumber_AsSsize_t(axes.ptr(), PyExc_OverflowError);
    if (count == -1 && PyErr_Occurred()) throw nb::python_error();
    return to_python(multiplying(a, b, [&] { return array::tensordot(a, b, count); }), whose);
  }
  if (!PySequence_Check(axes.ptr()))
    throw type_error("tensordot: axes must be an int or two sequences of ints, got " + type_of(axes));
  const auto both = nb::borrow<nb::sequence>(axes);
  if (nb::len(both) != 2)
    throw value_error("tensordot: axes must be an int or two sequences of ints, got " + text_of(nb::repr(axes)));
  const std::vector<int> first = axes_of(both[0], a), second = axes_of(both[1], b);
  return to_python(multiplying(a, b, [&] { return array::tensordot(a, b, first, second); }), whose);
}

nb::object vecdot(nb::handle x1, nb::handle x2, nb::handle axis) {
  const ndarray &a = array_argument(x1, "vecdot", "x1"), &b = array_argument(x2, "vecdot", "x2");
  const extents_argument along = integers_from(axis, "vecdot", "axis");
  if (along.size() != 1) throw type_error("vecdot: axis must be an int, got " + type_of(axis));
  const auto number = static_cast<int>(std::clamp<std::int64_t>(array::extents(along)[0], INT_MIN, INT_MAX));
  return to_python(multiplying(a, b, [&] { return array::vecdot(a, b, number); }), common_package(x1, x2));
}

}  // namespace

PyObject *matrix_product(PyObject *a, PyObject *b) noexcept {
  return guarded([&]() -> PyObject * {
    if (!is_array(a) || !is_array(b)) return no_product(a, b);
    const ndarray &x1 = array_of(a), &x2 = array_of(b);
    const package whose = common_package(a, b);
    // NumPy's results have no regard to the operands' order
    const array::order layout = whose == package::dpnp ? array::order::row_major : array::order::keep;
    return wrap(
        multiplying(x1, x2, [&] { return array::matmul(x1, x2, {.type = {}, .layout = layout, .out = nullptr}); }),
        whose);
  });
}

PyObject *matrix_product_in_place(PyObject *a, PyObject *b) noexcept {
  return guarded([&]() -> PyObject * {
    if (!is_array(a) || !is_array(b)) return no_product(a, b);
    const ndarray &x1 = array_of(a), &x2 = array_of(b);
    multiplying(x1, x2, [&] { return array::matmul_in_place(x1, x2); });
    return Py_NewRef(a);
  });
}

void bind_products(nb::module_ &m) {
  const nb::none none;
  m.def("matmul", matmul, nb::arg(), nb::arg(), nb::arg("out") = none, nb::arg("dtype") = none, nb::arg("order") = "K",
        nb::sig("def matmul(x1: usm_ndarray, x2: usm_ndarray, /, out: usm_ndarray | None = None, "
                "dtype: object = None, order: str = 'K') -> usm_ndarray"),
        docs::matmul);
  m.def("tensordot", tensordot, nb::arg(), nb::arg(), nb::arg("axes") = 2,
        nb::sig("def tensordot(x1: usm_ndarray, x2: usm_ndarray, /, "
                "axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2) -> usm_ndarray"),
        docs::tensordot);
  m.def("vecdot", vecdot, nb::arg(), nb::arg(), nb::arg("axis") = -1,
        nb::sig("def vecdot(x1: usm_ndarray, x2: usm_ndarray, /, axis: int = -1) -> usm_ndarray"), docs::vecdot);
}

}  // namespace dpep::python
