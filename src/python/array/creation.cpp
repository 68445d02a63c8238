// Functions that create arrays: empty, zeros, full, arange, linspace, eye, their *_like variants, tril and triu.
#include "creation_docs.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

/// The dtype, which the placement's device must support.
dtype supported(dtype type, const array::placement &where, const char *function) {
  array::check_supported(type, where.queue.get_device(), function);
  return type;
}

/// Whether a fill value is array-like: an array, a sequence or an object with the buffer protocol.
bool is_array_like(nb::handle x) noexcept {
  return is_array(x.ptr()) || PyList_Check(x.ptr()) || PyTuple_Check(x.ptr()) ||
         (PyObject_CheckBuffer(x.ptr()) && !number_from(x.ptr()));
}

/// A fill value for a dtype: for real dtypes without its imaginary part, with NumPy's ComplexWarning when that is not
/// 0.
array::scalar fill_value_from(nb::handle x, dtype type, const char *function) {
  const auto number = number_from(x.ptr(), type);
  const array::scalar value = number ? number->value : scalar_argument(x, function, "fill_value");
  if (value.what != array::scalar::kind::complex || !loses_imaginary_part(dtype::complex128, type)) return value;
  if (value.number.imag() != 0) warn_of_lost_imaginary_part(function, dtype::complex128, type);
  return array::scalar::of(value.number.real());
}

nb::object make_full(nb::handle shape, nb::handle value, nb::handle type, nb::handle order, nb::handle device,
                     nb::handle kind, nb::handle queue) {
  const array::order o = contiguous_order_from(order, "full");
  const auto extents = shape_from(shape, "full");
  if (is_array_like(value)) {
    conversion how;
    how.type = optional_dtype(type);
    how.order = o;
    if (!kind.is_none()) how.kind = usm_kind_from(kind);
    if (!is_array(value.ptr()) || !device.is_none() || !queue.is_none()) how.queue = queue_from(device, queue);
    const ndarray one = array_from(value, how);
    return to_python(array::copy(array::broadcast_to(one, extents), o), package::dpctl);
  }
  const array::placement where = placement_from(device, kind, queue);
  const auto needed = [&] {
    const array::scalar number = scalar_argument(value, "full", "fill_value");
    return number.beyond_int64 ? dtype::uint64 : array::default_type(number.what, where.queue.get_device());
  };
  const dtype t = type.is_none() ? needed() : dtype_from(type);
  supported(t, where, "full");
  return to_python(array::full(extents, fill_value_from(value, t, "full"), t, where, o), package::dpctl);
}

/// empty (without a value), zeros and ones.
nb::object make_filled(const char *function, std::optional<int> value, nb::handle shape, nb::handle type,
                       nb::handle order, nb::handle device, nb::handle kind, nb::handle queue) {
  const array::order o = contiguous_order_from(order, function);
  const auto extents = shape_from(shape, function);
  const array::placement where = placement_from(device, kind, queue);
  const dtype t = type.is_none() ? array::default_real(where.queue.get_device()) : dtype_from(type);
  supported(t, where, function);
  return to_python(value ? array::full(extents, array::scalar::of(std::int64_t{*value}), t, where, o)
                         : array::empty(extents, t, where, o),
                   package::dpctl);
}

nb::object make_filled_like(const char *function, std::optional<int> value, nb::handle like, nb::handle type,
                            nb::handle order, nb::handle device, nb::handle kind, nb::handle queue) {
  const ndarray &a = array_argument(like, function, "x");
  const array::order o = order_in(package_of(like.ptr()), order_from(order, function));
  const array::placement where = placement_from(device, kind, queue, a);
  const dtype t = supported(type.is_none() ? a.type() : dtype_from(type), where, function);
  return to_python(value ? array::full_like(a, array::scalar::of(std::int64_t{*value}), t, where, o)
                         : array::empty_like(a, t, where, o),
                   package_of(like.ptr()));
}

nb::object make_full_like(nb::handle like, nb::handle value, nb::handle type, nb::handle order, nb::handle device,
                          nb::handle kind, nb::handle queue) {
  const ndarray &a = array_argument(like, "full_like", "x");
  const array::order o = order_in(package_of(like.ptr()), order_from(order, "full_like"));
  const array::placement where = placement_from(device, kind, queue, a);
  const dtype t = supported(type.is_none() ? a.type() : dtype_from(type), where, "full_like");
  if (is_array_like(value)) {
    const ndarray made = array::empty_like(a, t, where, o);
    conversion how;
    how.type = t;
    how.queue = where.queue;
    array::assign(made, array_from(value, how));
    return to_python(made, package_of(like.ptr()));
  }
  const array::scalar number = fill_value_from(value, t, "full_like");
  return to_python(array::full_like(a, number, t, where, o), package_of(like.ptr()));
}

// --- ranges ---

/// An argument of arange or linspace. As in dpctl, ValueError when it is not a number.
array::scalar range_number(nb::handle x, const char *function, const char *argument) {
  if (const auto number = number_from(x.ptr())) return number->value;
  throw value_error(std::string(function) + ": " + argument + " must be a number, got " + type_of(x));
}

nb::object make_range(nb::handle start_, nb::handle stop_, nb::handle step_, nb::handle type, nb::handle device,
                      nb::handle kind, nb::handle queue) {
  const bool only_stop = stop_.is_none();
  const array::scalar start = only_stop ? array::scalar::of(std::int64_t{0}) : range_number(start_, "arange", "start");
  const array::scalar stop = range_number(only_stop ? start_ : stop_, "arange", "stop");
  const array::scalar step =
      step_.is_none() ? array::scalar::of(std::int64_t{1}) : range_number(step_, "arange", "step");
  const array::placement where = placement_from(device, kind, queue);
  return to_python(array::arange(start, stop, step, optional_dtype(type), where), package::dpctl);
}

nb::object make_linspace(nb::handle start_, nb::handle stop_, nb::handle num, nb::handle type, nb::handle device,
                         nb::handle endpoint, nb::handle queue, nb::handle kind) {
  const array::placement where = placement_from(device, kind, queue);
  if (!PyBool_Check(endpoint.ptr())) throw type_error("linspace: endpoint must be a bool, got " + type_of(endpoint));
  const bool with_end = endpoint.ptr() == Py_True;
  const Py_ssize_t count = PyNumber_AsSsize_t(num.ptr(), PyExc_OverflowError);
  if (count == -1 && PyErr_Occurred()) throw nb::python_error();
  const array::scalar start = range_number(start_, "linspace", "start"), stop = range_number(stop_, "linspace", "stop");
  return to_python(array::linspace(start, stop, count, with_end, optional_dtype(type), where), package::dpctl);
}

// --- matrices ---

std::int64_t index_from(nb::handle x) {
  const nb::object index = nb::steal(PyNumber_Index(x.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  // All diagonals outside of the matrix have the same effect.
  return overflow ? overflow * (std::int64_t{1} << 62) : value;
}

nb::object make_eye(nb::handle rows_, nb::handle columns_, nb::handle k, nb::handle type, nb::handle order,
                    nb::handle device, nb::handle kind, nb::handle queue) {
  const array::order o = contiguous_order_from(order, "eye");
  const std::int64_t rows = index_from(rows_), columns = columns_.is_none() ? rows : index_from(columns_);
  const std::int64_t diagonal = index_from(k);
  const array::placement where = placement_from(device, kind, queue);
  const dtype t = type.is_none() ? array::default_real(where.queue.get_device()) : dtype_from(type);
  return to_python(array::eye(rows, columns, diagonal, t, where, o), package::dpctl);
}

template <ndarray (*part)(const ndarray &, std::int64_t, array::order)>
nb::object triangle(const char *function, nb::handle x, nb::handle k) {
  const ndarray &a = array_argument(x, function, "x");
  const std::int64_t diagonal = index_from(k);
  const package whose = package_of(x.ptr());
  // NumPy selects by a row-major mask, which decides the result's order
  const array::order order = whose == package::dpnp ? array::order::row_major : array::order::any;
  return to_python(computing(a.size(), [&] { return part(a, diagonal, order); }), whose);
}

}  // namespace

#define DPEP_SHAPE_TYPE "int | tuple[int, ...]"

void bind_creation(nb::module_ &m) {
  const nb::none none;

  const auto filled = [&](const char *name, std::optional<int> value, const char *signature, const char *doc) {
    m.def(
        name,
        [name, value](nb::handle shape, nb::handle type, nb::handle order, nb::handle device, nb::handle kind,
                      nb::handle queue) { return make_filled(name, value, shape, type, order, device, kind, queue); },
        nb::arg("shape").none(), nb::arg("dtype") = none, nb::kw_only(), nb::arg("order") = "C",
        nb::arg("device") = none, nb::arg("usm_type") = "device", nb::arg("sycl_queue") = none, nb::sig(signature),
        doc);
  };
#define DPEP_FILLED(name)                                                                                              \
  "def " name "(shape: " DPEP_SHAPE_TYPE ", dtype: object = None, *, order: str = 'C', " DPEP_PLACEMENT                \
  ") -> usm_ndarray"
  filled("empty", {}, DPEP_FILLED("empty"), docs::empty);
  filled("zeros", 0, DPEP_FILLED("zeros"), docs::zeros);
  filled("ones", 1, DPEP_FILLED("ones"), docs::ones);
  m.def("full", make_full, nb::arg("shape").none(), nb::arg("fill_value"), nb::arg("dtype") = none, nb::kw_only(),
        nb::arg("order") = "C", nb::arg("device") = none, nb::arg("usm_type") = none, nb::arg("sycl_queue") = none,
        nb::sig("def full(shape: " DPEP_SHAPE_TYPE
                ", fill_value: object, dtype: object = None, *, order: str = 'C', " DPEP_PLACEMENT_LIKE
                ") -> usm_ndarray"),
        docs::full);

  const auto like = [&](const char *name, std::optional<int> value, const char *signature, const char *doc) {
    m.def(
        name,
        [name, value](nb::handle x, nb::handle type, nb::handle order, nb::handle device, nb::handle kind,
                      nb::handle queue) { return make_filled_like(name, value, x, type, order, device, kind, queue); },
        nb::arg(), nb::arg("dtype") = none, nb::kw_only(), nb::arg("order") = "K", nb::arg("device") = none,
        nb::arg("usm_type") = none, nb::arg("sycl_queue") = none, nb::sig(signature), doc);
  };
#define DPEP_FILLED_LIKE(name)                                                                                         \
  "def " name "(x: usm_ndarray, /, dtype: object = None, *, order: str = 'K', " DPEP_PLACEMENT_LIKE ") -> usm_ndarray"
  like("empty_like", {}, DPEP_FILLED_LIKE("empty_like"), docs::empty_like);
  like("zeros_like", 0, DPEP_FILLED_LIKE("zeros_like"), docs::zeros_like);
  like("ones_like", 1, DPEP_FILLED_LIKE("ones_like"), docs::ones_like);
  m.def("full_like", make_full_like, nb::arg(), nb::arg("fill_value"), nb::arg("dtype") = none, nb::kw_only(),
        nb::arg("order") = "K", nb::arg("device") = none, nb::arg("usm_type") = none, nb::arg("sycl_queue") = none,
        nb::sig("def full_like(x: usm_ndarray, /, fill_value: object, dtype: object = None, *, order: str = "
                "'K', " DPEP_PLACEMENT_LIKE ") -> usm_ndarray"),
        docs::full_like);

  m.def("arange", make_range, nb::arg(), nb::arg("stop") = none, nb::arg("step").none() = 1, nb::arg("dtype") = none,
        nb::kw_only(), nb::arg("device") = none, nb::arg("usm_type") = "device", nb::arg("sycl_queue") = none,
        nb::sig("def arange(start: complex, /, stop: complex | None = None, step: complex | None = 1, "
                "dtype: object = None, *, " DPEP_PLACEMENT ") -> usm_ndarray"),
        docs::arange);
  m.def("linspace", make_linspace, nb::arg(), nb::arg(), nb::arg("num"), nb::kw_only(), nb::arg("dtype") = none,
        nb::arg("device") = none, nb::arg("endpoint") = true, nb::arg("sycl_queue") = none,
        nb::arg("usm_type") = "device",
        nb::sig(
            "def linspace(start: complex, stop: complex, /, num: int, *, dtype: object = None, device: object = None, "
            "endpoint: bool = True, sycl_queue: dpctl.SyclQueue | None = None, usm_type: str = 'device') "
            "-> usm_ndarray"),
        docs::linspace);
  m.def("eye", make_eye, nb::arg(), nb::arg() = none, nb::arg("k") = 0, nb::arg("dtype") = none, nb::kw_only(),
        nb::arg("order") = "C", nb::arg("device") = none, nb::arg("usm_type") = "device", nb::arg("sycl_queue") = none,
        nb::sig("def eye(n_rows: int, n_cols: int | None = None, /, k: int = 0, dtype: object = None, *, "
                "order: str = 'C', " DPEP_PLACEMENT ") -> usm_ndarray"),
        docs::eye);
  m.def(
      "tril", [](nb::handle x, nb::handle k) { return triangle<array::lower_triangle>("tril", x, k); }, nb::arg(),
      nb::kw_only(), nb::arg("k") = 0, nb::sig("def tril(x: usm_ndarray, /, *, k: int = 0) -> usm_ndarray"),
      docs::tril);
  m.def(
      "triu", [](nb::handle x, nb::handle k) { return triangle<array::upper_triangle>("triu", x, k); }, nb::arg(),
      nb::kw_only(), nb::arg("k") = 0, nb::sig("def triu(x: usm_ndarray, /, *, k: int = 0) -> usm_ndarray"),
      docs::triu);
}

}  // namespace dpep::python
