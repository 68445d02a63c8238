// asarray, astype, copy and the exchange with NumPy: arrays made of other objects that hold numbers.
#include "array_slots.hpp"
#include "numpy_types.hpp"

#include <bit>

namespace dpep::python {
namespace {

bool has(nb::handle x, const char *attribute) { return PyObject_HasAttrString(x.ptr(), attribute); }
bool is_sequence(nb::handle x) {
  return PyList_Check(x.ptr()) || PyTuple_Check(x.ptr()) || Py_TYPE(x.ptr()) == &PyRange_Type;
}

/// The array that an object is or exports without a copy; null for other objects.
ndarray exported_array(nb::handle x) {
  if (is_array(x.ptr())) return array_of(x.ptr());
  if (x.is_none() || is_numpy_array(x.ptr()) || is_sequence(x) || PyLong_Check(x.ptr()) || number_from(x.ptr()))
    return {};
  if (has(x, "__usm_ndarray__")) {
    const nb::object inside = x.attr("__usm_ndarray__");
    if (is_array(inside.ptr())) return array_of(inside.ptr());
  }
  if (has(x, "__sycl_usm_array_interface__")) return array_on_interface(x);
  return has(x, "__cuda_array_interface__") ? array_on_cuda_interface(x) : ndarray();
}

/// The dtype of a new array: the requested one, which the device must support, or the one that the elements need.
dtype choose_type(const conversion &to, dtype needed, const device &where) {
  const dtype type = to.type ? *to.type : array::supported(needed, where);
  array::check_supported(type, where, "asarray");
  return type;
}

/// The queue and the kind of memory of a new array.
array::placement choose_placement(const conversion &to) {
  return {to.queue ? *to.queue : default_queue(), to.kind.value_or(usm_kind::device)};
}

bool has_order(const ndarray &a, array::order order) {
  switch (order) {
  case array::order::row_major:
    return a.row_major();
  case array::order::column_major:
    return a.column_major();
  case array::order::any:
    return a.row_major() || a.column_major();
  case array::order::keep:
  case array::order::keep_forward:
    break;
  }
  return true;
}

array::order order_of_copy(const ndarray &a, array::order order) {
  if (order != array::order::any) return order;
  return a.column_major() && !a.row_major() ? array::order::column_major : array::order::row_major;
}

[[noreturn]] void refuse_copy(const char *reason) {
  throw value_error(std::string("asarray: ") + reason + " needs a copy, which copy=False forbids");
}

ndarray from_array(const ndarray &a, const conversion &to) {
  const array::placement place{to.queue ? *to.queue : a.get_queue(), to.kind ? *to.kind : a.memory_kind()};
  const dtype type = to.type ? *to.type : a.type();
  const bool same_placement = place.queue == a.get_queue() && place.kind == a.memory_kind();
  if (same_placement && type == a.type() && has_order(a, to.order) && to.copy != true) return a;
  if (to.copy == false) refuse_copy("another dtype, order, kind of memory or queue");
  warn_of_lost_imaginary_part("asarray", a.type(), type);
  array::check_supported(type, place.queue.get_device(), "asarray");
  const array::order order = order_of_copy(a, to.order);
  if (same_placement) return array::astype(a, type, array::casting::unsafe, order, true);
  ndarray moved = array::to_placement(a, place, true);
  if (type == moved.type() && has_order(moved, order) &&
      (order != array::order::keep || std::ranges::equal(moved.strides(), a.strides())))
    return moved;
  return array::astype(moved, type, array::casting::unsafe, order, false);
}

ndarray from_host(nb::handle object, const conversion &to) {
  const array::placement place = choose_placement(to);
  const host_array host(object, false);
  const dtype type = choose_type(to, host.type(), place.queue.get_device());
  warn_of_lost_imaginary_part("asarray", host.type(), type);
  const auto view = host.view();
  std::int64_t size = static_cast<std::int64_t>(size_of(host.type()));
  for (std::int64_t n : view.shape) size *= n;
  if (size < (1 << 16)) return array::from_host(view, type, place, to.order);
  return without_gil([&] { return array::from_host(view, type, place, to.order); });
}

/// The shape and dtype of nested sequences, and the arrays among their items.
struct contents {
  std::vector<std::int64_t> shape;
  std::optional<dtype> type;
  std::vector<ndarray> arrays;
};

dtype type_of_number(const number &n) {
  if (n.type) return *n.type;
  switch (n.value.what) {
  case array::scalar::kind::boolean:
    return dtype::boolean;
  case array::scalar::kind::integer:
    return n.value.beyond_int64 ? dtype::uint64 : dtype::int64;
  case array::scalar::kind::real:
    return dtype::float64;
  case array::scalar::kind::complex:
    break;
  }
  return dtype::complex128;
}

/// Refuses sequences nested more deeply than arrays have axes, among them those that contain themselves.
void check_depth(int depth) {
  if (depth > max_dimensions)
    throw value_error("asarray: sequences are nested more than " + std::to_string(max_dimensions) +
                      " levels deep, or contain themselves; arrays have at most as many dimensions");
}

/// A copy of the items: reading their attributes runs Python code, which may change the sequence.
nb::object items_of(nb::handle sequence) {
  nb::object items = nb::steal(PySequence_Tuple(sequence.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  return items;
}

contents contents_of(nb::handle x, int depth = 1) {
  contents seen;
  if (is_sequence(x)) {
    check_depth(depth);
    const nb::object items = items_of(x);
    const Py_ssize_t n = PyTuple_GET_SIZE(items.ptr());
    for (Py_ssize_t i = 0; i < n; ++i) {
      const contents part = contents_of(PyTuple_GET_ITEM(items.ptr(), i), depth + 1);
      if (i == 0) {
        seen = part;
        continue;
      }
      if (part.shape != seen.shape)
        throw value_error("asarray: items of a sequence must have the same shape, got " + text_of_shape(seen.shape) +
                          " and " + text_of_shape(part.shape));
      if (part.type) seen.type = seen.type ? array::promote(*seen.type, *part.type) : *part.type;
      seen.arrays.insert(seen.arrays.end(), part.arrays.begin(), part.arrays.end());
    }
    seen.shape.insert(seen.shape.begin(), n);
    return seen;
  }
  if (const ndarray a = exported_array(x)) {
    seen.shape.assign(a.shape().begin(), a.shape().end());
    seen.type = a.type();
    seen.arrays.push_back(a);
  } else if (const auto n = number_from(x.ptr())) {
    seen.type = type_of_number(*n);
  } else if (PyObject_CheckBuffer(x.ptr())) {
    const host_array host(x, false);
    seen.shape.assign(host.shape().begin(), host.shape().end());
    seen.type = host.type();
  } else {
    throw type_error("asarray: items of a sequence must be arrays or numbers, got " + type_of(x));
  }
  return seen;
}

/// Whether an array is among the items of nested sequences. Those without arrays are converted by NumPy.
bool has_arrays(nb::handle sequence, int depth = 1) {
  if (Py_TYPE(sequence.ptr()) == &PyRange_Type) return false;
  check_depth(depth);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {  // the size may change in the loop
    PyObject *x = PySequence_Fast_GET_ITEM(sequence.ptr(), i);
    if (PyLong_CheckExact(x) || PyFloat_CheckExact(x) || PyBool_Check(x) || PyComplex_CheckExact(x)) continue;
    const nb::object item = nb::borrow(x);
    if (is_array(x) || (is_sequence(item) ? has_arrays(item, depth + 1) : static_cast<bool>(exported_array(item))))
      return true;
  }
  return false;
}

/// The array of a flat list of Python floats, or of Python ints for int64 or no dtype. Empty for other sequences, which
/// NumPy converts; among them floats for an integer dtype, of which NumPy refuses those that do not fit.
std::optional<ndarray> from_plain_list(nb::handle sequence, const conversion &to) {
  if (!PyList_CheckExact(sequence.ptr())) return {};
  const Py_ssize_t n = PyList_GET_SIZE(sequence.ptr());
  if (n == 0) return {};
  PyObject **items = PySequence_Fast_ITEMS(sequence.ptr());
  const bool real = PyFloat_CheckExact(items[0]);
  if (!real && (to.type.value_or(dtype::int64) != dtype::int64)) return {};
  if (real && to.type && kind_of(*to.type) != dtype_kind::real && kind_of(*to.type) != dtype_kind::complex) return {};
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (real ? !PyFloat_CheckExact(items[i]) : !PyLong_CheckExact(items[i])) return {};
    int overflow = 0;
    values[static_cast<std::size_t>(i)] = real ? std::bit_cast<std::int64_t>(PyFloat_AS_DOUBLE(items[i]))
                                               : PyLong_AsLongLongAndOverflow(items[i], &overflow);
    if (overflow) return {};
  }
  const array::placement place = choose_placement(to);
  const dtype given = real ? dtype::float64 : dtype::int64;
  const dtype type = choose_type(to, given, place.queue.get_device());
  const std::int64_t shape = n, stride = 8;
  return array::from_host({values.data(), given, {&shape, 1}, {&stride, 1}}, type, place);
}

/// Assigns nested sequences with arrays among their items, row by row.
void fill(const ndarray &to, nb::handle x) {
  if (is_sequence(x) && has_arrays(x)) {
    const nb::object items = items_of(x);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.ptr()); ++i) {
      const array::index row{array::index::kind::integer, i};
      fill(array::view(to, {&row, 1}), PyTuple_GET_ITEM(items.ptr(), i));
    }
    return;
  }
  conversion here;
  here.queue = to.get_queue();
  array::assign(to, array_from(x, here));
}

/// The array of nested sequences with at least one array among their items, by default where those are.
ndarray from_mixed_sequence(nb::handle x, const conversion &to) {
  const contents seen = contents_of(x);
  array::placement place = choose_placement(to);
  if (!seen.arrays.empty()) {
    if (!to.queue) place.queue = array::common_placement(seen.arrays, "asarray").queue;
    if (!to.kind) place.kind = array::common_kind(seen.arrays);
  }
  const dtype type = choose_type(to, seen.type.value_or(dtype::float64), place.queue.get_device());
  const bool columns = to.order == array::order::column_major;
  ndarray result =
      array::empty(seen.shape, type, place, columns ? array::order::column_major : array::order::row_major);
  fill(result, x);
  return result;
}

nb::object asarray(nb::handle object, nb::handle dtype, nb::handle device, nb::handle copy, nb::handle usm_type,
                   nb::handle sycl_queue, nb::handle order) {
  conversion to;
  if (!copy.is_none()) {
    if (!PyBool_Check(copy.ptr())) throw type_error("asarray: copy must be a bool or None, got " + type_of(copy));
    to.copy = copy.ptr() == Py_True;
  }
  to.type = optional_dtype(dtype);
  to.order = order_from(order, "asarray");
  if (is_array(object.ptr())) to.order = order_in(package_of(object.ptr()), to.order);
  if (!usm_type.is_none()) to.kind = usm_kind_from(usm_type);
  if (!device.is_none() || !sycl_queue.is_none()) to.queue = queue_from(device, sycl_queue);
  ndarray result = array_from(object, to);
  if (is_array(object.ptr()) && result == array_of(object.ptr()) && package_of(object.ptr()) == package::dpctl)
    return nb::borrow(object);
  return to_python(std::move(result), package::dpctl);
}

nb::object copy(nb::handle x, nb::handle order) {
  const ndarray &a = array_argument(x, "copy", "usm_ary");
  const array::order wanted = order_in(package_of(x.ptr()), order_from(order, "copy"));
  return to_python(array::copy(a, order_of_copy(a, wanted)), package_of(x.ptr()));
}

nb::object astype(nb::handle x, nb::handle newdtype, nb::handle order, nb::handle casting, bool copy,
                  nb::handle device) {
  const ndarray &given = array_argument(x, "astype", "usm_ary");
  const array::order wanted = order_in(package_of(x.ptr()), order_from(order, "astype"));
  const array::casting rule = casting_from(casting);
  const queue where = device.is_none() ? given.get_queue() : queue_from(device, nb::none());
  const dtype type = newdtype.is_none() ? array::default_real(where.get_device()) : dtype_from(newdtype);
  array::check_supported(type, where.get_device(), "astype");
  if (!array::can_cast(given.type(), type, rule))
    throw type_error("astype: " + std::string(name_of(given.type())) + " cannot be cast to " +
                     std::string(name_of(type)) + " with casting=" + text_of(nb::repr(casting)));
  warn_of_lost_imaginary_part("astype", given.type(), type);
  // 'C' and 'F' need no copy of an array that is contiguous in both orders, or, as in dpctl, in neither.
  const bool orders_differ = given.row_major() != given.column_major() && !has_order(given, wanted);
  const bool same = type == given.type() && !orders_differ, elsewhere = where != given.get_queue();
  // A view that only this function has is not passed to another queue: its own queue would not wait until it is read.
  const ndarray moved = array::to_placement(given, {where, given.memory_kind()}, elsewhere && (copy || !same));
  if (same && (elsewhere || !copy)) return moved == given ? nb::borrow(x) : to_python(moved, package_of(x.ptr()));
  return to_python(array::astype(moved, type, rule, order_of_copy(moved, wanted), true), package_of(x.ptr()));
}

}  // namespace

ndarray array_from(nb::handle x, const conversion &to) {
  if (const ndarray a = exported_array(x)) return from_array(a, to);
  if (to.copy == false) refuse_copy("data on the host");
  if (is_sequence(x)) {
    if (auto plain = from_plain_list(x, to)) return *std::move(plain);
    if (has_arrays(x)) return from_mixed_sequence(x, to);
    const nb::object type = to.type ? nb::borrow(numpy_dtype(*to.type)) : nb::none();
    return from_host(numpy().attr("asarray")(x, type), to);
  }
  if (is_numpy_array(x.ptr())) return from_host(x, to);
  if (const auto n = to.type ? number_from(x.ptr(), *to.type) : number_from(x.ptr()); n && !n->type) {
    const array::placement place = choose_placement(to);
    return array::full({}, n->value, choose_type(to, type_of_number(*n), place.queue.get_device()), place);
  }
  if (PyBytes_Check(x.ptr()) || PyUnicode_Check(x.ptr()) || !PyObject_CheckBuffer(x.ptr()))
    throw type_error("asarray: cannot make an array of a " + type_of(x));
  return from_host(x, to);
}

void bind_conversions(nb::module_ &m) {
  m.def(
      "asarray", asarray, nb::arg("obj").none(), "dtype"_a = nb::none(), nb::kw_only(), "device"_a = nb::none(),
      "copy"_a = nb::none(), "usm_type"_a = nb::none(), "sycl_queue"_a = nb::none(), "order"_a = "K",
      nb::sig("def asarray(obj: object, /, dtype: object = None, *, device: object = None, copy: bool | None = None, "
              "usm_type: str | None = None, sycl_queue: dpep._core.SyclQueue | None = None, order: str = 'K') -> "
              "usm_ndarray"),
      "Return an array with the elements of an object.\n\n"
      "Parameters\n----------\n"
      "obj : array, number, sequence or object\n"
      "    An array; a NumPy array or another object with the buffer protocol; an object with\n"
      "    `__sycl_usm_array_interface__` or `__cuda_array_interface__`; a number; nested lists and tuples of all "
      "these.\n"
      "dtype : dtype, optional\n    Data type of the result. Default: the type that all elements promote to.\n"
      "device : Device, SyclQueue, SyclDevice or str, optional\n"
      "    Device or queue of the result. Default: that of `obj`, else the default device.\n"
      "copy : bool, optional\n"
      "    True: always copy. False: never copy, and raise ValueError when a copy is needed. None: copy when needed.\n"
      "usm_type : {'device', 'shared', 'host'}, optional\n"
      "    Kind of memory. Default: that of `obj`, else 'device'.\n"
      "sycl_queue : SyclQueue, optional\n    Queue of the result, instead of `device`.\n"
      "order : {'K', 'C', 'F', 'A'}, optional\n"
      "    Memory layout of the result: 'C' row-major, 'F' column-major, 'A' one of the two, 'K' that of `obj`.\n\n"
      "Returns\n-------\nusm_ndarray\n    `obj` itself when it is an array and no copy is needed.\n\n"
      "Raises\n------\n"
      "ExecutionPlacementError\n    When arrays in a sequence are on different queues, and no queue is given.\n"
      "ValueError\n"
      "    When items of a sequence have different shapes, or a copy is needed and forbidden, or the device does not\n"
      "    support `dtype`.\n"
      "TypeError\n    When `obj` or an item of it is of no supported type, or `dtype` is not a data type of arrays.\n\n"
      "Examples\n--------\n"
      ">>> import dpctl.tensor as dpt\n"
      ">>> dpt.asarray([[1, 2], [3, 4]], dtype='f4')\n"
      "usm_ndarray([[1., 2.],\n"
      "             [3., 4.]], dtype=float32)");
  m.def(
      "asnumpy", [](nb::handle x) { return to_numpy(array_argument(x, "asnumpy", "usm_ary")); },
      nb::arg("usm_ary").none(), nb::sig("def asnumpy(usm_ary: usm_ndarray) -> object"),
      "Return a new NumPy array with the elements. Waits for them.\n\n"
      "Parameters\n----------\nusm_ary : usm_ndarray\n    The array, of any shape and dtype.\n\n"
      "Raises\n------\nTypeError\n    When `usm_ary` is not an array.\n\n"
      "Examples\n--------\n"
      ">>> import dpctl.tensor as dpt\n"
      ">>> dpt.asnumpy(dpt.arange(3))\n"
      "array([0, 1, 2])");
  m.attr("to_numpy") = m.attr("asnumpy");
  m.def(
      "from_numpy",
      [](nb::handle x, nb::handle device, nb::handle usm_type, nb::handle sycl_queue) {
        conversion to;
        to.queue = queue_from(device, sycl_queue);
        to.kind = usm_kind_from(usm_type);
        return from_host(numpy().attr("require")(x, nb::none(), nb::make_tuple("A", "E")), to);
      },
      nb::arg("np_ary").none(), nb::kw_only(), "device"_a = nb::none(), "usm_type"_a = "device",
      "sycl_queue"_a = nb::none(),
      nb::sig("def from_numpy(np_ary: object, /, *, device: object = None, usm_type: str = 'device', sycl_queue: "
              "dpep._core.SyclQueue | None = None) -> usm_ndarray"),
      "Return a new array with the elements of a NumPy array.\n\n"
      "Parameters\n----------\nnp_ary : numpy.ndarray\n    The NumPy array.\n"
      "device, usm_type, sycl_queue : optional\n    Placement of the result, as in `asarray`.\n\n"
      "Raises\n------\nTypeError\n    When arrays cannot have the dtype.\n\n"
      "Examples\n--------\n"
      ">>> import dpctl.tensor as dpt, numpy as np\n"
      ">>> dpt.from_numpy(np.arange(3))\n"
      "usm_ndarray([0, 1, 2])");
  m.def("copy", copy, nb::arg("usm_ary").none(), nb::kw_only(), "order"_a = "K",
        nb::sig("def copy(usm_ary: usm_ndarray, /, *, order: str = 'K') -> usm_ndarray"),
        "Return a copy of an array.\n\n"
        "Parameters\n----------\nusm_ary : usm_ndarray\n    The array.\n"
        "order : {'K', 'C', 'F', 'A'}, optional\n"
        "    Memory layout of the copy: 'C' row-major, 'F' column-major, 'A' column-major for an array that is so and "
        "not\n"
        "    row-major, else row-major, 'K' as close to that of the array as possible.\n\n"
        "Raises\n------\nTypeError\n    When `usm_ary` is not an array.\nValueError\n    For another `order`.\n\n"
        "Examples\n--------\n"
        ">>> import dpctl.tensor as dpt\n"
        ">>> x = dpt.arange(3)\n"
        ">>> y = dpt.copy(x)\n"
        ">>> y[0] = 7\n"
        ">>> x\n"
        "usm_ndarray([0, 1, 2])");
  m.def("astype", astype, nb::arg("usm_ary").none(), nb::arg("newdtype").none(), nb::kw_only(), "order"_a = "K",
        "casting"_a = "unsafe", "copy"_a = true, "device"_a = nb::none(),
        nb::sig("def astype(usm_ary: usm_ndarray, newdtype: object, /, *, order: str = 'K', casting: str = 'unsafe', "
                "copy: bool = True, device: object = None) -> usm_ndarray"),
        "Return an array with the elements cast to another dtype.\n\n"
        "Parameters\n----------\n"
        "usm_ary : usm_ndarray\n    The array.\n"
        "newdtype : dtype or None\n    Data type of the result; the device's default floating-point type when None.\n"
        "order : {'K', 'C', 'F', 'A'}, optional\n    Memory layout of a copy, as in `copy`.\n"
        "casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional\n"
        "    The casts that are allowed, as in `numpy.can_cast`.\n"
        "copy : bool, optional\n    False: return the array itself when dtype, order and device are already as given.\n"
        "device : Device, SyclQueue, SyclDevice or str, optional\n    Device or queue of the result.\n\n"
        "Raises\n------\n"
        "TypeError\n    For a cast that `casting` does not allow.\n"
        "ValueError\n    When the device does not support the dtype, or for another `order` or `casting`.\n\n"
        "Examples\n--------\n"
        ">>> import dpctl.tensor as dpt\n"
        ">>> dpt.astype(dpt.asarray([1.5, -1.5]), 'i4')\n"
        "usm_ndarray([ 1, -1], dtype=int32)");
}

}  // namespace dpep::python
