// Declarations that all array bindings use: Python's array objects and conversions of arguments.
//
// Two Python types share one implementation, dpctl.tensor.usm_ndarray and dpnp.ndarray. A result has the type of its
// operands; if those are of both types, dpnp.ndarray.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include <dpep/array_functions.hpp>
#include <dpep/array_indexing.hpp>
#include <dpep/array_numpy.hpp>

#include "../bindings.hpp"
#include "../errors.hpp"

namespace dpep::python {

// --- array objects ---

using array::package;

/// The value of an array without axes that has no memory yet. Loops over elements make an object for each x[i], and
/// most of them are only converted to numbers, assigned, or operands of another such operation.
struct element_value {
  dpep::queue queue;
  usm_kind kind;
  dtype type;
  alignas(16) std::byte bytes[16];
};

/// The layout of array objects, whose type is `types().of[package]` or derived from it.
struct python_array {
  PyObject_HEAD ndarray array;  // empty while there is a value
  PyObject *array_namespace;    // result of __array_namespace__; null for the package itself
  PyObject *sycl_queue;         // created at first use and kept, because C code takes its address
  PyObject *as_dpctl;           // the usm_ndarray of the same array, for dpnp's arrays; null until one exists
  PyObject *weak_references;
  bool element;  // of dpnp: one element of an array, which x[i] made; NumPy has a scalar, which operators don't change
  element_value *value;  // in the object's own memory; null once the array exists
};

struct array_types {
  PyTypeObject *base;   // base class of both types; not public
  PyTypeObject *of[2];  // indexed by package
};
/// The types, set by bind_array_types.
inline array_types &types() noexcept {
  static constinit array_types all{};
  return all;
}

inline bool is_array(PyObject *x) noexcept {
  const array_types &t = types();
  return Py_TYPE(x) == t.of[0] || Py_TYPE(x) == t.of[1] || PyType_IsSubtype(Py_TYPE(x), t.base);
}
/// The value of an array without memory; null for other arrays. For objects for which is_array is true.
inline element_value *value_of(PyObject *x) noexcept { return reinterpret_cast<python_array *>(x)->value; }
/// The operation on values of arrays without memory, or on one and a number of Python; `b` is null for one operand.
/// Null without a Python error for other operands. The result replaces the value of `to`, if that is given and has its
/// dtype.
PyObject *compute_values(array::opcode, PyObject *a, PyObject *b, PyObject *to = nullptr) noexcept;
/// Gives memory to an array that is a value.
const ndarray &array_of_value(PyObject *x);
/// The array of a Python object for which is_array is true.
inline const ndarray &array_of(PyObject *x) {
  return value_of(x) ? array_of_value(x) : reinterpret_cast<python_array *>(x)->array;
}
inline package package_of(PyObject *x) noexcept {
  const array_types &t = types();
  return Py_TYPE(x) == t.of[0] ? package::dpctl : static_cast<package>(PyObject_TypeCheck(x, t.of[1]));
}
/// Initialises the members of a new object.
PyObject *initialize(PyObject *object, ndarray &&) noexcept;
/// A new Python object for the array: a new reference, or null with a Python error set.
PyObject *wrap(ndarray, package) noexcept;
/// The same for a copy of one element of an array of dpnp.
PyObject *wrap_element(ndarray) noexcept;
/// A new array of dpnp without axes and without memory. Its bytes are not initialised.
PyObject *make_value(const queue &, usm_kind, dtype, bool element) noexcept;
/// x[indices], one for each axis, as a value. Null without a Python error where the element cannot be read now.
PyObject *read_value(const ndarray &x, std::span<const std::int64_t> indices) noexcept;
/// x[indices] = value, for an element of the dtype of x or a number of Python that it has. Returns false, without an
/// effect, for others, and where the element cannot be written now.
bool write_value(const ndarray &x, std::span<const std::int64_t> indices, PyObject *value) noexcept;
inline bool is_element(PyObject *x) noexcept { return reinterpret_cast<python_array *>(x)->element; }
inline nb::object to_python(ndarray array, package whose) {
  PyObject *o = wrap(std::move(array), whose);
  if (!o) throw nb::python_error();
  return nb::steal(o);
}
/// The same array, sharing its memory, as the type of a package: `x` itself if it has that type; for dpctl the same
/// object at each call. A new reference, or null with a Python error set.
PyObject *same_array(PyObject *x, package) noexcept;
/// same_array with the Python error thrown.
inline nb::object as_package(nb::handle x, package whose) {
  PyObject *same = same_array(x.ptr(), whose);
  if (!same) throw nb::python_error();
  return nb::steal(same);
}
/// The array of an argument; TypeError "function: x must be a usm_ndarray, got list" for other objects.
const ndarray &array_argument(nb::handle, const char *function, const char *argument);
/// The array of an argument, null for None; TypeError for other objects.
const ndarray *optional_array(nb::handle, const char *function, const char *argument);

// --- numbers and operands ---

/// A number. Python's numbers and instances of their subclasses have no dtype, NumPy's scalars have one.
struct number {
  array::scalar value;
  std::optional<dtype> type;
};
/// The number that an object is; empty for other objects. OverflowError for an int of more than 64 bits.
std::optional<number> number_from(PyObject *);
/// The same for an array of this dtype: an int of more than 64 bits is a real number for other dtypes than integers.
std::optional<number> number_from(PyObject *, dtype);
/// The number of an argument; TypeError for other objects, also for those with __float__ and the like.
array::scalar scalar_argument(nb::handle, const char *function, const char *argument);
/// The scalar as bool, int, float or complex.
PyObject *to_python(const array::scalar &) noexcept;

/// The operands of an operation: arrays, numbers, and objects converted to arrays on the queue of the arrays (NumPy
/// scalars and arrays, other objects with the buffer protocol or __sycl_usm_array_interface__). Refers to the given
/// objects, which must live longer.
class operands {
public:
  /// For an object that cannot be an operand: throw ValueError, or leave `convertible()` false, so that an operator can
  /// return NotImplemented.
  enum class unsupported { refuse, report };
  /// ExecutionPlacementError when no operand is an array. An int of more than 64 bits is a real number beside real and
  /// complex arrays, in comparisons and in divisions; else OverflowError.
  operands(std::span<PyObject *const>, array::opcode, const char *function, unsupported = unsupported::refuse);
  operands(const operands &) = delete;

  /// Whether all objects are operands. The other members are valid only then.
  bool convertible() const noexcept { return convertible_; }
  std::span<const array::operand> get() const noexcept { return {operands_.data(), count_}; }
  /// The package of the result.
  package whose() const noexcept { return whose_; }
  const dpep::queue &queue() const noexcept { return *queue_; }

private:
  void convert(std::span<PyObject *const>, unsigned unresolved, array::opcode, const char *function, unsupported);

  std::size_t count_;
  package whose_ = package::dpctl;
  bool convertible_ = true;
  const dpep::queue *queue_ = nullptr;
  std::array<array::operand, 3> operands_;
  std::array<array::scalar, 3> numbers_;
  std::array<ndarray, 3> made_;
};

/// The operation that a package's functions and operators compute.
inline array::opcode code_in(package whose, array::opcode code) noexcept {
  return whose == package::dpnp ? array::in_numpy(code) : code;
}
/// ValueError for integers to the power of negative integers, as in NumPy; in dpctl the result is 0. Waits for the
/// exponents if they are an array of signed integers.
void refuse_negative_powers(array::opcode, std::span<const array::operand>);
/// TypeError for arithmetic on bools alone, as in NumPy; the engine throws ValueError, as dpctl does.
void refuse_bools(array::opcode, std::span<const array::operand>, const char *function);
/// Throws dpnp.exceptions.UFuncTypeError if the error is that the operation has no signature for the operands' dtypes,
/// or that these cannot be cast.
void refuse_as_numpy(array::opcode, std::span<const array::operand>, const array::error &);
/// Calls the function, which computes the operation. Errors are those of the package.
template <class F> auto with_errors_of(package whose, array::opcode code, std::span<const array::operand> o, F &&f) {
  try {
    return f();
  } catch (const array::error &e) {
    if (whose == package::dpnp) refuse_as_numpy(code, o, e);
    throw;
  }
}

/// `self op= other`: computes in the dtype of `self`, to which `other` must be castable by 'same_kind'. Returns `self`,
/// or NotImplemented if `other` is no operand. A new reference, or null with a Python error set.
PyObject *in_place(array::opcode, PyObject *self, PyObject *other) noexcept;

// --- arguments ---

/// The parts of an index expression, with arrays, lists and buffers as arrays on the queue of the indexed array.
std::vector<array::index_part> index_parts_of(const ndarray &, PyObject *key, package);

/// Up to 64 integers on the stack: a shape, strides, axes or repetitions.
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
/// Whether an object is one integer: it has __index__ and is no array with axes.
bool is_one_integer(nb::handle);
/// The integers of an int or a sequence of ints (objects with __index__), of any sign. TypeError for other objects.
extents_argument integers_from(nb::handle, const char *function, const char *argument);
/// As integers_from; ValueError for negative integers.
extents_argument shape_from(nb::handle, const char *function, const char *argument = "shape");

/// "(2, 3)", as Python writes it.
std::string text_of_shape(array::extents);

/// The axis of an int, counted from the front. numpy.exceptions.AxisError outside of [-dimensions, dimensions).
int axis_from(nb::handle, int dimensions, const char *function);
/// The same, or nothing for None.
std::optional<int> optional_axis_from(nb::handle, int dimensions, const char *function);
/// The axes of an int or a sequence of ints; empty for None. AxisError as above, ValueError for an axis named twice.
std::optional<std::vector<int>> axes_from(nb::handle, int dimensions, const char *function);

/// NumPy's dtype object: a borrowed reference to an object that is never destroyed.
PyObject *numpy_dtype(dtype) noexcept;
/// The dtype of any object that numpy.dtype accepts. TypeError for data types that arrays do not support.
dtype dtype_from(nb::handle);
inline std::optional<dtype> optional_dtype(nb::handle x) {
  return x.is_none() ? std::nullopt : std::optional(dtype_from(x));
}
/// The memory order named by the first letter of a str, 'C', 'F', 'A' or 'K' in either case. ValueError for other
/// letters, TypeError for other objects.
array::order order_from(nb::handle, const char *function);
/// The order that 'K' means for arrays of the package: dpnp's never run backwards, as NumPy's.
constexpr array::order kept_order(package whose) noexcept {
  return whose == package::dpnp ? array::order::keep_forward : array::order::keep;
}
/// The order, with the package's meaning of 'K'.
constexpr array::order order_in(package whose, array::order o) noexcept {
  return o == array::order::keep ? kept_order(whose) : o;
}
/// As order_from; ValueError for 'A' and 'K', which refer to another array.
array::order contiguous_order_from(nb::handle, const char *function);
array::casting casting_from(nb::handle);
/// The treatment of indices out of bounds: 'wrap' or 'clip'. ValueError for other objects.
array::index_mode index_mode_from(nb::handle, const char *function);

/// The queue given by `sycl_queue` or by `device` (a Device, SyclQueue, SyclDevice or filter string); the default queue
/// when both are None. TypeError when the two are different queues.
queue queue_from(nb::handle device, nb::handle sycl_queue);
/// 'device', 'shared' or 'host'. ValueError for another str, TypeError for other objects.
usm_kind usm_kind_from(nb::handle);
const queue &default_queue();
/// Whether a cast discards imaginary parts. A cast to bool does not: it compares with 0.
inline bool loses_imaginary_part(dtype from, dtype to) noexcept {
  return kind_of(from) == dtype_kind::complex && kind_of(to) != dtype_kind::complex && to != dtype::boolean;
}
/// NumPy's ComplexWarning for a cast that discards imaginary parts. Throws if the program turns warnings into errors.
void warn_of_lost_imaginary_part(const char *function, dtype from, dtype to);

/// The placement given by the arguments of a creation function. For None: the default queue and device memory.
array::placement placement_from(nb::handle device, nb::handle usm_type, nb::handle sycl_queue);
/// The same; for None the placement of another array.
array::placement placement_from(nb::handle device, nb::handle usm_type, nb::handle sycl_queue, const ndarray &like);

// --- host memory ---

/// The buffer of a NumPy array or another object with the buffer protocol, locked as long as this object lives.
class host_array {
public:
  /// TypeError for other objects and for data types that arrays do not support.
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
/// A new NumPy array with the elements. Waits for them.
nb::object to_numpy(const ndarray &);
/// A view of the memory that an object's __sycl_usm_array_interface__ describes.
ndarray array_on_interface(nb::handle);
/// The keyword arguments of dpctl.tensor.asarray; empty ones are derived from the object.
struct conversion {
  std::optional<dtype> type;
  std::optional<bool> copy;
  std::optional<usm_kind> kind;
  std::optional<dpep::queue> queue;
  array::order order = array::order::keep;
};
/// The array of any object that dpctl.tensor.asarray accepts.
ndarray array_from(nb::handle, const conversion & = {});

/// Submits pending operations of the array and waits for its queue with wait_interruptibly. Then kernels and copies of
/// other code that use its memory are complete, too.
void wait_for_queue_of(const ndarray &);
/// The element of an array of size 1. ValueError "function: …" for other sizes.
array::scalar element_of(const ndarray &, const char *function);
/// The same as a Python number. For other sizes, dpnp's arrays raise TypeError, as NumPy's do.
nb::object number_of(nb::handle array, const char *function);

/// Runs a function without the GIL. For functions that may block or take long.
template <class F> auto without_gil(F &&f) {
  gil_release unlocked;
  return f();
}

// --- the module ---

/// Fills the module dpep._array when it is first imported, so that `import dpctl` does not load NumPy.
void bind_arrays(nb::module_ &);

void bind_array_types(nb::module_ &);      // usm_ndarray and dpnp's ndarray
void bind_array_functions(nb::module_ &);  // dpctl.tensor's functions, as the module's submodule `tensor`

}  // namespace dpep::python

/// Functions bound with nanobind take arrays of both types as `const ndarray &` and return usm_ndarray.
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
