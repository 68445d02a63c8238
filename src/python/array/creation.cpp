// Functions that create arrays: empty, zeros, full, arange, linspace, eye, their *_like variants, tril and triu.
#include <cmath>

#include "creation_docs.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

/// The dtype, which the placement's device must support.
dtype supported(dtype type, const array::placement &where, const char *function) {
  array::check_supported(type, where.queue.get_device(), function);
  return type;
}

/// The dtype of an array made of numbers of a kind when no dtype is given.
dtype default_type(array::scalar::kind kind, const device &d) noexcept {
  switch (kind) {
  case array::scalar::kind::boolean:
    return dtype::boolean;
  case array::scalar::kind::integer:
    return dtype::int64;
  case array::scalar::kind::real:
    return array::default_real(d);
  case array::scalar::kind::complex:
    break;
  }
  return array::default_complex(d);
}

array::scalar fill_value_from(nb::handle x, const char *function) { return scalar_argument(x, function, "fill_value"); }

/// Whether a fill value is array-like: an array, a sequence or an object with the buffer protocol.
bool is_array_like(nb::handle x) noexcept {
  return is_array(x.ptr()) || PyList_Check(x.ptr()) || PyTuple_Check(x.ptr()) ||
         (PyObject_CheckBuffer(x.ptr()) && !number_from(x.ptr()));
}

/// The number as a dtype stores it: truncated for integers, without its imaginary part for real dtypes, with NumPy's
/// ComplexWarning when that part is not 0.
array::scalar cast_number(const char *function, const array::scalar &x, dtype type) {
  const dtype_kind kind = kind_of(type);
  using enum array::scalar::kind;
  if (x.what != real && x.what != complex) return x;
  if (x.what == complex && x.number.imag() != 0) warn_of_lost_imaginary_part(function, dtype::complex128, type);
  if (kind == dtype_kind::real) return array::scalar::of(x.number.real());
  if (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer) return x;
  const double whole = std::trunc(x.number.real());
  if (std::isnan(whole)) throw value_error(std::string(function) + ": cannot convert float NaN to integer");
  if (std::abs(whole) < 0x1p63) return array::scalar::of(static_cast<std::int64_t>(whole));
  if (whole >= 0 && whole < 0x1p64) return array::scalar::of(static_cast<std::uint64_t>(whole));
  throw array::error(array::refusal::overflow,
                     std::string(function) + ": " + std::to_string(whole) + " does not fit a 64-bit integer");
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
  const array::scalar number = fill_value_from(value, "full");
  const array::placement where = placement_from(device, kind, queue);
  const dtype t = type.is_none() ? default_type(number.what, where.queue.get_device()) : dtype_from(type);
  supported(t, where, "full");
  return to_python(array::full(extents, cast_number("full", number, t), t, where, o), package::dpctl);
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
  const array::order o = order_from(order, function);
  const array::placement where = placement_from(device, kind, queue, a);
  const dtype t = supported(type.is_none() ? a.type() : dtype_from(type), where, function);
  return to_python(value ? array::full_like(a, array::scalar::of(std::int64_t{*value}), t, where, o)
                         : array::empty_like(a, t, where, o),
                   package_of(like.ptr()));
}

nb::object make_full_like(nb::handle like, nb::handle value, nb::handle type, nb::handle order, nb::handle device,
                          nb::handle kind, nb::handle queue) {
  const ndarray &a = array_argument(like, "full_like", "x");
  const array::order o = order_from(order, "full_like");
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
  const array::scalar number = cast_number("full_like", fill_value_from(value, "full_like"), t);
  return to_python(array::full_like(a, number, t, where, o), package_of(like.ptr()));
}

// --- ranges ---

/// An argument of arange or linspace. As in dpctl, ValueError when it is not a number.
array::scalar range_number(nb::handle x, const char *function, const char *argument) {
  if (const auto number = number_from(x.ptr())) return number->value;
  throw value_error(std::string(function) + ": " + argument + " must be a number, got " + type_of(x));
}

std::complex<double> value_of(const array::scalar &x) noexcept {
  if (x.what == array::scalar::kind::real || x.what == array::scalar::kind::complex) return x.number;
  return x.beyond_int64 ? static_cast<double>(static_cast<std::uint64_t>(x.integer)) : static_cast<double>(x.integer);
}

bool is_whole(const array::scalar &x) noexcept { return x.what <= array::scalar::kind::integer && !x.beyond_int64; }

/// The number of elements of a range of so many steps.
std::int64_t count_from_steps(double steps) {
  const double count = std::ceil(steps);
  if (!(count > 0)) return 0;  // also for NaN
  if (count >= 0x1p62) throw value_error("arange: more elements than memory has addresses");
  return static_cast<std::int64_t>(count);
}

std::int64_t range_count(const array::scalar &start, const array::scalar &stop, const array::scalar &step) {
  if (is_whole(start) && is_whole(stop) && is_whole(step)) {
    if (step.integer == 0) {
      PyErr_SetString(PyExc_ZeroDivisionError, "arange: step is 0");
      throw nb::python_error();
    }
    std::int64_t span;
    if (!__builtin_sub_overflow(stop.integer, start.integer, &span) && step.integer != -1) {
      const std::int64_t count =
          span / step.integer + ((span % step.integer != 0) && ((span < 0) == (step.integer < 0)));
      return std::max<std::int64_t>(count, 0);
    }
  }
  return count_from_steps(((value_of(stop) - value_of(start)) / value_of(step)).real());
}

/// The number as an element of a dtype.
array::scalar as_element(const array::scalar &x, dtype type) {
  using array::scalar;
  switch (kind_of(type)) {
  case dtype_kind::complex:
    return scalar::of(value_of(x));
  case dtype_kind::real:
    return scalar::of(value_of(x).real());
  default:
    return cast_number("arange", x, type);
  }
}

array::scalar sum_of(const array::scalar &a, const array::scalar &b) {
  std::int64_t sum;
  if (is_whole(a) && is_whole(b) && !__builtin_add_overflow(a.integer, b.integer, &sum)) return array::scalar::of(sum);
  return array::scalar::of(value_of(a) + value_of(b));
}

/// The number rounded to a floating-point dtype.
std::complex<double> rounded(std::complex<double> x, dtype type) noexcept {
  switch (type) {
  case dtype::float16:
    return static_cast<double>(static_cast<_Float16>(x.real()));
  case dtype::float32:
  case dtype::complex64:
    return {static_cast<float>(x.real()), static_cast<float>(x.imag())};
  default:
    return x;
  }
}

nb::object make_range(nb::handle start_, nb::handle stop_, nb::handle step_, nb::handle type, nb::handle device,
                      nb::handle kind, nb::handle queue) {
  const bool only_stop = stop_.is_none();
  const array::scalar start = only_stop ? array::scalar::of(std::int64_t{0}) : range_number(start_, "arange", "start");
  const array::scalar stop = range_number(only_stop ? start_ : stop_, "arange", "stop");
  const array::scalar step =
      step_.is_none() ? array::scalar::of(std::int64_t{1}) : range_number(step_, "arange", "step");
  const array::placement where = placement_from(device, kind, queue);
  const auto widest = std::max({start.what, stop.what, step.what, array::scalar::kind::integer});
  const dtype t = type.is_none() ? default_type(widest, where.queue.get_device()) : dtype_from(type);
  supported(t, where, "arange");
  if (widest == array::scalar::kind::complex) array::check_keeps_imaginary_parts(dtype::complex128, t, "arange");
  const std::int64_t count = range_count(start, stop, step);
  if (t == dtype::boolean && count > 2)
    throw value_error("arange: a range of dtype bool has at most 2 elements, got " + std::to_string(count));
  // As in NumPy, the range continues its first two elements, both rounded to the array's dtype.
  const array::scalar first = as_element(start, t);
  array::scalar stride = step;
  std::optional<std::complex<double>> second;
  if (is_whole(first)) {
    const array::scalar next = as_element(sum_of(start, step), t);
    std::uint64_t step_bits = static_cast<std::uint64_t>(next.integer) - static_cast<std::uint64_t>(first.integer);
    // A negative step of an unsigned dtype is the equal step modulo 2^bits.
    if (kind_of(t) == dtype_kind::unsigned_integer) {
      step_bits &= ~std::uint64_t{0} >> (64 - 8 * size_of(t));
      stride = array::scalar::of(step_bits);
    } else {
      stride = array::scalar::of(static_cast<std::int64_t>(step_bits));
    }
  } else {
    second = rounded(value_of(sum_of(start, step)), t);
    const std::complex<double> distance = *second - rounded(value_of(first), t);
    stride = as_element(array::scalar::of(t == dtype::float16 ? distance : rounded(distance, t)), t);
  }
  const ndarray range = array::arange(first, stride, count, t, where);
  // Where the step is rounded, adding it to the first element need not give the second.
  if (second && count > 1 && rounded(rounded(value_of(first), t) + value_of(stride), t) != *second) {
    const array::index place{array::index::kind::integer, 1};
    array::assign(array::view(range, {&place, 1}), as_element(array::scalar::of(*second), t));
  }
  return to_python(range, package::dpctl);
}

nb::object make_linspace(nb::handle start_, nb::handle stop_, nb::handle num, nb::handle type, nb::handle device,
                         nb::handle endpoint, nb::handle queue, nb::handle kind) {
  const array::placement where = placement_from(device, kind, queue);
  if (!PyBool_Check(endpoint.ptr())) throw type_error("linspace: endpoint must be a bool, got " + type_of(endpoint));
  const bool with_end = endpoint.ptr() == Py_True;
  const Py_ssize_t count = PyNumber_AsSsize_t(num.ptr(), PyExc_OverflowError);
  if (count == -1 && PyErr_Occurred()) throw nb::python_error();
  if (count < 0) throw value_error("linspace: num must not be negative, got " + std::to_string(count));
  const array::scalar start = range_number(start_, "linspace", "start"), stop = range_number(stop_, "linspace", "stop");
  const auto &d = where.queue.get_device();
  const auto widest = std::max({start.what, stop.what, array::scalar::kind::real});
  const dtype wanted = type.is_none() ? default_type(widest, d) : dtype_from(type);
  supported(wanted, where, "linspace");
  return to_python(array::linspace(start, stop, count, with_end, wanted, where), package::dpctl);
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
  return to_python(array::eye(rows, columns, diagonal, supported(t, where, "eye"), where, o), package::dpctl);
}

template <ndarray (*part)(const ndarray &, std::int64_t, array::order)>
nb::object triangle(const char *function, nb::handle x, nb::handle k) {
  const ndarray &a = array_argument(x, function, "x");
  const array::order o = a.column_major() && !a.row_major() ? array::order::column_major : array::order::row_major;
  const std::int64_t diagonal = index_from(k);
  return to_python(computing(a.size(), [&] { return part(a, diagonal, o); }), package_of(x.ptr()));
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
