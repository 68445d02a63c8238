// asarray: whatever holds numbers becomes an array.
#include "array_slots.hpp"
#include "numpy_types.hpp"

#include <bit>

namespace dpep::python {
namespace {

bool has(nb::handle x, const char *attribute) { return PyObject_HasAttrString(x.ptr(), attribute); }
bool is_sequence(nb::handle x) {
  return PyList_Check(x.ptr()) || PyTuple_Check(x.ptr()) || Py_TYPE(x.ptr()) == &PyRange_Type;
}

/// The array that an object is, or stands for without a copy; null for other objects.
ndarray array_behind(nb::handle x) {
  if (is_array(x.ptr())) return array_of(x.ptr());
  if (x.is_none() || is_numpy_array(x.ptr()) || is_sequence(x) || number_from(x.ptr())) return {};
  if (has(x, "__usm_ndarray__")) {
    const nb::object inside = x.attr("__usm_ndarray__");
    if (is_array(inside.ptr())) return array_of(inside.ptr());
  }
  if (has(x, "__sycl_usm_array_interface__")) return array_on_interface(x);
  return has(x, "__cuda_array_interface__") ? array_on_cuda_interface(x) : ndarray();
}

dtype supported(dtype type, const device &where) {
  if (type == dtype::float16 && !where.info().fp16) return dtype::float32;
  if (type == dtype::float64) return array::default_real(where);
  return type == dtype::complex128 ? array::default_complex(where) : type;
}

bool of_order(const ndarray &a, array::order order) {
  switch (order) {
  case array::order::row_major:
    return a.row_major();
  case array::order::column_major:
    return a.column_major();
  case array::order::any:
    return a.row_major() || a.column_major();
  case array::order::keep:
    break;
  }
  return true;
}

array::order order_of_copy(const ndarray &a, array::order order) {
  if (order != array::order::any) return order;
  return a.column_major() && !a.row_major() ? array::order::column_major : array::order::row_major;
}

[[noreturn]] void needs_copy(const char *why) {
  throw value_error(std::string("asarray: ") + why + " needs a copy, which copy=False forbids");
}

ndarray from_array(const ndarray &a, const conversion &to) {
  const array::placement place{to.queue ? *to.queue : a.get_queue(), to.kind ? *to.kind : a.memory_kind()};
  const dtype type = to.type ? *to.type : a.type();
  const bool stays = place.queue == a.get_queue() && place.kind == a.memory_kind();
  if (stays && type == a.type() && of_order(a, to.order) && to.copy != true) return a;
  if (to.copy == false) needs_copy("another dtype, order, kind of memory or queue");
  warn_of_lost_imaginary_part("asarray", a.type(), type);
  require_support(type, place.queue.get_device());
  const array::order order = order_of_copy(a, to.order);
  if (stays) return array::astype(a, type, array::casting::unsafe, order, true);
  // Casting first where that makes less to move, or where only the source's device can.
  ndarray moved = array::to_placement(a, place, true);
  if (type == moved.type() && of_order(moved, order) &&
      (order != array::order::keep || std::ranges::equal(moved.strides(), a.strides())))
    return moved;
  return array::astype(moved, type, array::casting::unsafe, order, false);
}

ndarray from_host(nb::handle object, const conversion &to) {
  const array::placement place{to.queue ? *to.queue : default_queue(), to.kind.value_or(usm_kind::device)};
  const host_array host(object, false);
  const dtype type = to.type ? *to.type : supported(host.type(), place.queue.get_device());
  require_support(type, place.queue.get_device());
  warn_of_lost_imaginary_part("asarray", host.type(), type);
  const auto view = host.view();
  std::int64_t size = static_cast<std::int64_t>(size_of(host.type()));
  for (std::int64_t n : view.shape) size *= n;
  if (size < (1 << 16)) return array::from_host(view, type, place, to.order);
  return without_gil([&] { return array::from_host(view, type, place, to.order); });
}

/// What is in nested sequences.
struct contents {
  std::vector<std::int64_t> shape;
  std::optional<dtype> type;
  bool arrays = false;               // any array among it
  std::optional<dpep::queue> queue;  // of the arrays, as long as they are all on one
  bool several_queues = false;
  std::optional<usm_kind> kind;
};

usm_kind coerced(usm_kind a, usm_kind b) {
  if (a == usm_kind::device || b == usm_kind::device) return usm_kind::device;
  return a == usm_kind::shared || b == usm_kind::shared ? usm_kind::shared : usm_kind::host;
}

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

/// Beyond as many levels as arrays have axes a sequence is no array; one that contains itself has no end of them.
void check_depth(int depth) {
  if (depth > max_dimensions)
    throw value_error("asarray: sequences are nested more than " + std::to_string(max_dimensions) +
                      " levels deep, or contain themselves; arrays have no more axes than that");
}

/// The items of a sequence, kept while they are looked at: attributes of objects are Python code, which may change it.
nb::object items_of(nb::handle sequence) {
  nb::object items = nb::steal(PySequence_Tuple(sequence.ptr()));
  if (!items.is_valid()) throw nb::python_error();
  return items;
}

contents look_at(nb::handle x, int depth = 1) {
  contents seen;
  if (is_sequence(x)) {
    check_depth(depth);
    const nb::object items = items_of(x);
    const Py_ssize_t n = PyTuple_GET_SIZE(items.ptr());
    for (Py_ssize_t i = 0; i < n; ++i) {
      const contents part = look_at(PyTuple_GET_ITEM(items.ptr(), i), depth + 1);
      if (i == 0) {
        seen = part;
        continue;
      }
      if (part.shape != seen.shape)
        throw value_error("asarray: parts of a sequence have different shapes, " + text_of_shape(seen.shape) + " and " +
                          text_of_shape(part.shape));
      if (part.type) seen.type = seen.type ? array::promote(*seen.type, *part.type) : *part.type;
      seen.arrays |= part.arrays;
      seen.several_queues |= part.several_queues || (seen.queue && part.queue && *seen.queue != *part.queue);
      if (!seen.queue) seen.queue = part.queue;
      if (part.kind) seen.kind = seen.kind ? coerced(*seen.kind, *part.kind) : *part.kind;
    }
    seen.shape.insert(seen.shape.begin(), n);
    return seen;
  }
  if (const ndarray a = array_behind(x)) {
    seen.shape.assign(a.shape().begin(), a.shape().end());
    seen.type = a.type();
    seen.arrays = true;
    seen.queue = a.get_queue();
    seen.kind = a.memory_kind();
  } else if (const auto n = number_from(x.ptr())) {
    seen.type = type_of_number(*n);
  } else if (PyObject_CheckBuffer(x.ptr())) {
    const host_array host(x, false);
    seen.shape.assign(host.shape().begin(), host.shape().end());
    seen.type = host.type();
  } else {
    throw type_error("asarray: a sequence has a " + type_of(x) + ", which is no number and no array");
  }
  return seen;
}

/// Whether a sequence has an array somewhere. Long lists of numbers are NumPy's to read, so this stops at the first
/// number of a row.
bool has_arrays(nb::handle sequence, int depth = 1) {
  if (Py_TYPE(sequence.ptr()) == &PyRange_Type) return false;
  check_depth(depth);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {  // which may change on the way
    PyObject *x = PySequence_Fast_GET_ITEM(sequence.ptr(), i);
    if (PyLong_CheckExact(x) || PyFloat_CheckExact(x) || PyBool_Check(x) || PyComplex_CheckExact(x)) continue;
    const nb::object item = nb::borrow(x);
    if (is_array(x) || (is_sequence(item) ? has_arrays(item, depth + 1) : static_cast<bool>(array_behind(item))))
      return true;
  }
  return false;
}

/// A list of Python's floats, or of its ints where their dtype is left open; empty for all others, which are NumPy's to
/// read: floats for integers among them, of which it refuses those that do not fit.
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
  const array::placement place{to.queue ? *to.queue : default_queue(), to.kind.value_or(usm_kind::device)};
  const dtype given = real ? dtype::float64 : dtype::int64;
  const dtype type = to.type ? *to.type : supported(given, place.queue.get_device());
  require_support(type, place.queue.get_device());
  const std::int64_t shape = n, stride = 8;
  return array::from_host({values.data(), given, {&shape, 1}, {&stride, 1}}, type, place);
}

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

ndarray from_mixed_sequence(nb::handle x, const conversion &to) {
  const contents seen = look_at(x);
  if (!to.queue && seen.several_queues)
    raise_placement_error("Execution placement can not be unambiguously inferred: asarray: the arrays of the sequence "
                          "are on different queues; say sycl_queue or device");
  const array::placement place{to.queue     ? *to.queue
                               : seen.queue ? *seen.queue
                                            : default_queue(),
                               to.kind ? *to.kind : seen.kind.value_or(usm_kind::device)};
  const device &where = place.queue.get_device();
  const dtype type = to.type ? *to.type : supported(seen.type.value_or(dtype::float64), where);
  require_support(type, where);
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
  if (!usm_type.is_none()) to.kind = usm_kind_from(usm_type);
  if (!device.is_none() || !sycl_queue.is_none()) to.queue = queue_from(device, sycl_queue);
  ndarray result = array_from(object, to);
  if (is_array(object.ptr()) && result == array_of(object.ptr()) && package_of(object.ptr()) == package::dpctl)
    return nb::borrow(object);
  return to_python(std::move(result), package::dpctl);
}

nb::object copy(nb::handle x, nb::handle order) {
  const ndarray &a = array_argument(x, "copy", "usm_ary");
  const array::order wanted = order_from(order, "copy");
  return to_python(array::copy(a, order_of_copy(a, wanted)), package_of(x.ptr()));
}

nb::object astype(nb::handle x, nb::handle newdtype, nb::handle order, nb::handle casting, bool copy,
                  nb::handle device) {
  const ndarray &given = array_argument(x, "astype", "usm_ary");
  const array::order wanted = order_from(order, "astype");
  const array::casting rule = casting_from(casting);
  const queue where = device.is_none() ? given.get_queue() : queue_from(device, nb::none());
  const dtype type = newdtype.is_none() ? array::default_real(where.get_device()) : dtype_from(newdtype);
  require_support(type, where.get_device());
  if (!array::can_cast(given.type(), type, rule))
    throw type_error("astype: " + std::string(name_of(given.type())) + " cannot be cast to " +
                     std::string(name_of(type)) + " by the rule " + text_of(nb::repr(casting)));
  warn_of_lost_imaginary_part("astype", given.type(), type);
  const ndarray moved = array::to_placement(given, {where, given.memory_kind()});
  // Neither order asks anything of an array that is of both, nor of one that is of none.
  const bool orders_differ = moved.row_major() != moved.column_major() && !of_order(moved, wanted);
  if (!copy && type == moved.type() && !orders_differ)
    return moved == given ? nb::borrow(x) : to_python(moved, package_of(x.ptr()));
  return to_python(array::astype(moved, type, rule, order_of_copy(moved, wanted), true), package_of(x.ptr()));
}

}  // namespace

ndarray array_from(nb::handle x, const conversion &to) {
  if (const ndarray a = array_behind(x)) return from_array(a, to);
  if (to.copy == false) needs_copy("host data");
  if (is_sequence(x)) {
    if (auto plain = from_plain_list(x, to)) return *std::move(plain);
    if (has_arrays(x)) return from_mixed_sequence(x, to);
    const nb::object type = to.type ? nb::borrow(numpy_dtype(*to.type)) : nb::none();
    return from_host(numpy().attr("asarray")(x, type), to);
  }
  if (is_numpy_array(x.ptr())) return from_host(x, to);
  if (const auto n = number_from(x.ptr()); n && !n->type) {
    const array::placement place{to.queue ? *to.queue : default_queue(), to.kind.value_or(usm_kind::device)};
    const dtype type = to.type ? *to.type : supported(type_of_number(*n), place.queue.get_device());
    require_support(type, place.queue.get_device());
    return array::full({}, n->value, type, place);
  }
  if (PyBytes_Check(x.ptr()) || PyUnicode_Check(x.ptr()) || !PyObject_CheckBuffer(x.ptr()))
    throw type_error("asarray: cannot make an array of a " + type_of(x));
  return from_host(x, to);
}

void bind_conversions(nb::module_ &m) {
  m.def("asarray", asarray, nb::arg("obj").none(), "dtype"_a = nb::none(), nb::kw_only(), "device"_a = nb::none(),
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
        "dtype : dtype, optional\n    Of the result. Default: what holds all the elements.\n"
        "device : Device, SyclQueue, SyclDevice or str, optional\n    Where the result shall be.\n"
        "copy : bool, optional\n"
        "    True: always copy. False: never, and raise ValueError where one is needed. None: where needed.\n"
        "usm_type : {'device', 'shared', 'host'}, optional\n    Kind of memory.\n"
        "sycl_queue : SyclQueue, optional\n    The same as `device`.\n"
        "order : {'K', 'C', 'F', 'A'}, optional\n    Memory layout; 'K' keeps that of `obj`.\n\n"
        "Raises\n------\n"
        "ExecutionPlacementError\n    When arrays in a sequence are on different queues, and no queue is given.\n"
        "ValueError\n    When parts of a sequence have different shapes, and for a copy that is forbidden.\n"
        "TypeError\n    For objects and dtypes that arrays cannot have.\n\n"
        "Examples\n--------\n"
        ">>> import dpctl.tensor as dpt\n"
        ">>> dpt.asarray([[1, 2], [3, 4]], dtype='f4')\n"
        "usm_ndarray([[1., 2.],\n"
        "             [3., 4.]], dtype=float32)");
  m.def(
      "asnumpy", [](nb::handle x) { return to_numpy(array_argument(x, "asnumpy", "usm_ary")); },
      nb::arg("usm_ary").none(), nb::sig("def asnumpy(usm_ary: usm_ndarray) -> object"),
      "Return a new NumPy array with the elements, having waited for them.\n\n"
      "Raises TypeError for what is no array.\n\n"
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
      "Return a new array with the elements of a NumPy array; arguments are those of `asarray`.\n\n"
      ">>> import dpctl.tensor as dpt, numpy as np\n"
      ">>> dpt.from_numpy(np.arange(3))\n"
      "usm_ndarray([0, 1, 2])");
  m.def(
      "copy", copy, nb::arg("usm_ary").none(), nb::kw_only(), "order"_a = "K",
      nb::sig("def copy(usm_ary: usm_ndarray, /, *, order: str = 'K') -> usm_ndarray"),
      "Return a copy of the array. `order`: 'C', 'F', 'A' (the array's, if it is contiguous), 'K' (as near the array's "
      "as can be).\n\n"
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
        "Return the array's elements as another dtype.\n\n"
        "Parameters\n----------\n"
        "usm_ary : usm_ndarray\n    The array.\n"
        "newdtype : dtype or None\n    None is the device's default floating-point type.\n"
        "order : {'K', 'C', 'F', 'A'}, optional\n    Memory layout of a copy.\n"
        "casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional\n    What casts are allowed.\n"
        "copy : bool, optional\n    False: return the array itself where nothing changes.\n"
        "device : Device, SyclQueue, SyclDevice or str, optional\n    Where the result shall be.\n\n"
        "Raises TypeError for a cast that is not allowed.\n\n"
        ">>> import dpctl.tensor as dpt\n"
        ">>> dpt.astype(dpt.asarray([1.5, -1.5]), 'i4')\n"
        "usm_ndarray([ 1, -1], dtype=int32)");
}

}  // namespace dpep::python
