// What the files of the array bindings share: Python's array objects, and how arguments become the engine's.
//
// There are two Python types on one implementation, dpctl.tensor.usm_ndarray and dpnp.ndarray. Results are of the type
// of their operands; where they mix, dpnp wins.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include <dpep/array_functions.hpp>

#include "../bindings.hpp"
#include "../errors.hpp"

namespace dpep::python {

// --- array objects ---

/// Whose array type.
enum class package : std::uint8_t { dpctl, dpnp };

/// The Python object. Its type is `types().of[package]` or derived from it.
struct python_array {
  PyObject_HEAD ndarray array;
  PyObject *array_namespace;  // what __array_namespace__ returns; null for the package's own
  PyObject *sycl_queue;       // made when it is asked for, and kept: C code takes its address
  PyObject *as_dpctl;         // of dpnp's arrays: the same array as dpctl's type, once that was made or given
  PyObject *weak_references;
};

struct array_types {
  PyTypeObject *base;   // of both; not public
  PyTypeObject *of[2];  // by package
};
/// Made by bind_array_types.
inline array_types &types() noexcept {
  static constinit array_types all{};
  return all;
}

inline bool is_array(PyObject *x) noexcept {
  const array_types &t = types();
  return Py_TYPE(x) == t.of[0] || Py_TYPE(x) == t.of[1] || PyType_IsSubtype(Py_TYPE(x), t.base);
}
/// Of what is_array says is one.
inline const ndarray &array_of(PyObject *x) noexcept { return reinterpret_cast<python_array *>(x)->array; }
inline package package_of(PyObject *x) noexcept {
  const array_types &t = types();
  return Py_TYPE(x) == t.of[0] ? package::dpctl : static_cast<package>(PyObject_TypeCheck(x, t.of[1]));
}
/// A new Python object (a new reference; null with a Python error set).
PyObject *wrap(ndarray, package) noexcept;
inline nb::object to_python(ndarray array, package whose) {
  PyObject *o = wrap(std::move(array), whose);
  if (!o) throw nb::python_error();
  return nb::steal(o);
}
/// The same array, memory and all, as the type of a package: always the same object for dpctl's, `x` itself where it
/// has the type. A new reference; null with a Python error set.
PyObject *same_array(PyObject *x, package) noexcept;
/// An argument that must be an array: TypeError "function: x must be a usm_ndarray, got list".
const ndarray &array_argument(nb::handle, const char *function, const char *argument);
/// The same, of arguments that may be None.
const ndarray *optional_array(nb::handle, const char *function, const char *argument);

// --- numbers and operands ---

/// A number: Python's (weak: `type` is empty) or NumPy's (of its dtype). Also objects that are subclasses of Python's.
struct number {
  array::scalar value;
  std::optional<dtype> type;
};
/// Empty for what is no number. OverflowError for an int that no 64 bits hold.
std::optional<number> number_from(PyObject *);
/// A number argument; what __float__ and so on convert is no number. TypeError names the argument.
array::scalar scalar_argument(nb::handle, const char *function, const char *argument);
/// The scalar as bool, int, float or complex.
PyObject *to_python(const array::scalar &) noexcept;

/// The operands of an operation: arrays, numbers, and what can be made an array on the queue of those (NumPy scalars
/// and arrays, other objects with buffers or __sycl_usm_array_interface__). The given objects must outlive it.
class operands {
public:
  enum class strangers { refuse, leave };
  /// ExecutionPlacementError when no operand is an array; ValueError for what is no operand, unless it is to be left:
  /// then `understood` says so, and there is nothing else to be had.
  operands(std::span<PyObject *const>, const char *function, strangers = strangers::refuse);
  operands(const operands &) = delete;

  bool understood() const noexcept { return understood_; }
  std::span<const array::operand> get() const noexcept { return {operands_.data(), count_}; }
  /// Of the result.
  package whose() const noexcept { return whose_; }
  const dpep::queue &queue() const noexcept { return *queue_; }

private:
  void convert(std::span<PyObject *const>, unsigned unresolved, const char *function, strangers);

  std::size_t count_;
  package whose_ = package::dpctl;
  bool understood_ = true;
  const dpep::queue *queue_ = nullptr;
  std::array<array::operand, 3> operands_;
  std::array<array::scalar, 3> numbers_;
  std::array<ndarray, 3> made_;
};

/// Whether NumPy, and so dpnp, computes an operation otherwise than dpctl, or refuses operands that dpctl takes.
constexpr bool differs_in_numpy(array::opcode code) noexcept {
  using enum array::opcode;
  return code == floor_divide || code == bitwise_right_shift || code == reciprocal || code == pow;
}
/// What dpnp computes: the operation, or NumPy's variant of it (numpy_operations.cpp).
ndarray numpy_element(array::opcode, std::span<const array::operand>, const array::element_options & = {});
/// ValueError for integers to the power of negative integers, as NumPy has it, and so dpnp; for dpctl that is 0. Waits
/// for the exponents if they are an array of signed integers.
void refuse_negative_powers(array::opcode, std::span<const array::operand>);
/// TypeError for arithmetic of bools alone, as NumPy has it, and so dpnp; for dpctl it is a ValueError of the engine's.
void refuse_bools(array::opcode, std::span<const array::operand>, const char *function);

/// `self op= other`: computes in the type of `self`, to which `other` must be castable by kind. Returns `self`.
/// NotImplemented for strangers. A new reference, or null with an error set.
PyObject *in_place(array::opcode, PyObject *self, PyObject *other) noexcept;

// --- arguments ---

/// Up to 64 numbers on the stack: shapes, strides, axes, repetitions.
class extents_argument {
public:
  void push_back(std::int64_t value);  // ValueError beyond 64
  std::size_t size() const noexcept { return size_; }
  std::int64_t &operator[](std::size_t i) noexcept { return values_[i]; }
  operator array::extents() const noexcept { return {values_, size_}; }

private:
  std::size_t size_ = 0;
  std::int64_t values_[max_dimensions];
};
/// An int or a sequence of ints (anything with __index__). TypeError for what is neither; no check of signs.
extents_argument integers_from(nb::handle, const char *function, const char *argument);
/// As integers_from; ValueError for negative ones.
extents_argument shape_from(nb::handle, const char *function, const char *argument = "shape");

/// "(2, 3)", as Python writes it.
std::string text_of_shape(array::extents);

/// An axis of an array of that many dimensions, negative ones counted from the end. numpy.exceptions.AxisError.
int axis_from(nb::handle, int dimensions, const char *function);
/// An int or a tuple of them, each once; None gives nothing. AxisError; ValueError for an axis given twice.
std::optional<std::vector<int>> axes_from(nb::handle, int dimensions, const char *function);

/// NumPy's dtype object (a borrowed reference: they live for ever).
PyObject *numpy_dtype(dtype) noexcept;
/// From whatever numpy.dtype takes. TypeError for types that arrays don't have.
dtype dtype_from(nb::handle);
inline std::optional<dtype> optional_dtype(nb::handle x) {
  return x.is_none() ? std::nullopt : std::optional(dtype_from(x));
}
/// From 'C', 'F', 'A', 'K', in either case, by their first letter. ValueError; TypeError for what is no str.
array::order order_from(nb::handle, const char *function);
array::casting casting_from(nb::handle);

/// The queue that `sycl_queue` or `device` (a Device, SyclQueue, SyclDevice, filter string) say, else the default's.
/// TypeError when they contradict each other.
queue queue_from(nb::handle device, nb::handle sycl_queue);
usm_kind usm_kind_from(nb::handle);  // 'device', 'shared', 'host'
const queue &default_queue();
/// ValueError when the device has no such numbers.
void require_support(dtype, const device &);
/// Whether a cast makes complex numbers real ones. (To bool it asks whether they are 0.)
inline bool loses_imaginary_part(dtype from, dtype to) noexcept {
  return kind_of(from) == dtype_kind::complex && kind_of(to) != dtype_kind::complex && to != dtype::boolean;
}
/// NumPy's ComplexWarning for such a cast that was asked for. Throws where warnings are errors.
void warn_of_lost_imaginary_part(const char *function, dtype from, dtype to);

/// Arguments of creation functions; the fallback where device, usm_type and sycl_queue are None.
array::placement placement_from(nb::handle device, nb::handle usm_type, nb::handle sycl_queue);
array::placement placement_from(nb::handle device, nb::handle usm_type, nb::handle sycl_queue, const ndarray &like);

// --- host memory ---

/// A NumPy array, or another object with the buffer protocol, locked while it is used.
class host_array {
public:
  /// TypeError for other objects and for elements that arrays don't have.
  host_array(nb::handle, bool writable);
  host_array(const host_array &) = delete;
  ~host_array() { PyBuffer_Release(&view_); }
  array::host_view view() const noexcept;
  dtype type() const noexcept { return type_; }
  array::extents shape() const noexcept { return {shape_, std::size_t(view_.ndim)}; }

private:
  Py_buffer view_{};
  dtype type_;
  std::int64_t shape_[max_dimensions], strides_[max_dimensions];
};
/// A new NumPy array with the values; waits for them.
nb::object to_numpy(const ndarray &);
/// A view of the memory that an object with __sycl_usm_array_interface__ describes.
ndarray array_on_interface(nb::handle);
/// Any object that dpctl.tensor.asarray takes. `type`, `where.queue` (empty) and `kind` may be left open.
struct conversion {
  std::optional<dtype> type;
  std::optional<bool> copy;
  std::optional<usm_kind> kind;
  std::optional<dpep::queue> queue;
  array::order order = array::order::keep;
};
ndarray array_from(nb::handle, const conversion & = {});

/// Computes what is pending for the array and waits for its queue, as wait_interruptibly does. What was submitted by
/// others (kernels, copies) to its memory is done then, too.
void settle(const ndarray &);
/// The one element of an array of size 1. ValueError "function: …" for other sizes.
array::scalar element_of(const ndarray &, const char *function);

/// Runs what may block or take long without the GIL.
template <class F> auto without_gil(F &&f) {
  nb::gil_scoped_release unlocked;
  return f();
}

// --- what the module is made of ---

/// Runs code that Python calls directly; null (-1) with the Python error set when it throws.
template <class F> auto guarded(F &&f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    set_current_exception();
    if constexpr (std::is_pointer_v<decltype(f())>)
      return nullptr;
    else
      return -1;
  }
}

/// Fills the module dpep._array, when that is first imported: `import dpctl` neither pays for it nor needs NumPy.
void bind_arrays(nb::module_ &);

void bind_array_types(nb::module_ &);      // usm_ndarray and dpnp's ndarray
void bind_array_functions(nb::module_ &);  // dpctl.tensor's functions, as the module's submodule `tensor`

}  // namespace dpep::python

/// Functions bound with nanobind take arrays of either type as `const ndarray &`, and return dpctl's.
template <> struct nanobind::detail::type_caster<dpep::ndarray> {
  NB_TYPE_CASTER(dpep::ndarray, const_name("dpctl.tensor.usm_ndarray"))

  bool from_python(handle source, std::uint32_t, cleanup_list *) noexcept {
    if (!dpep::python::is_array(source.ptr())) return false;
    value = dpep::python::array_of(source.ptr());
    return true;
  }
  static handle from_cpp(const dpep::ndarray &array, rv_policy, cleanup_list *) noexcept {
    return dpep::python::wrap(array, dpep::python::package::dpctl);
  }
};
