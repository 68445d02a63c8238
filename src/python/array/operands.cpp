// Conversion of Python objects to operands of operations: arrays, numbers, and objects that become arrays.
#include "arrays.hpp"

#include <algorithm>
#include <limits>

#include <dpep/array_opcodes.hpp>

#include "numpy_types.hpp"

namespace dpep::python {
namespace {

/// Whether an int is in the range of std::int64_t or std::uint64_t.
bool fits_64_bits(PyObject *x) noexcept {
  int overflow;
  if (PyLong_AsLongLongAndOverflow(x, &overflow); !overflow) return true;
  if (overflow < 0) return false;
  PyLong_AsUnsignedLongLong(x);
  const bool fits = !PyErr_Occurred();
  PyErr_Clear();
  return fits;
}

/// The real number that is nearest to an int. OverflowError if it is beyond those of double.
array::scalar real_from_int(PyObject *x) {
  const double value = PyLong_AsDouble(x);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return array::scalar::of(value);
}

/// An infinity of the sign of an int of more than 64 bits, which compares with integers as the int does.
array::scalar infinity_like(PyObject *x) {
  int overflow;
  PyLong_AsLongLongAndOverflow(x, &overflow);
  return array::scalar::of(overflow * std::numeric_limits<double>::infinity());
}

array::scalar scalar_from_int(PyObject *x) {
  int overflow;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(x, &overflow);
  if (!overflow) {
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return array::scalar::of(value);
  }
  if (overflow > 0) {
    const auto beyond = static_cast<std::uint64_t>(PyLong_AsUnsignedLongLong(x));
    if (!PyErr_Occurred()) return array::scalar::of(beyond);
    PyErr_Clear();
  }
  PyErr_SetString(PyExc_OverflowError, "Python integer does not fit 64 bits");
  throw nb::python_error();
}

array::scalar scalar_from_complex(PyObject *x) {
  const Py_complex value = PyComplex_AsCComplex(x);
  if (value.real == -1 && PyErr_Occurred()) throw nb::python_error();
  return array::scalar::of(std::complex(value.real, value.imag));
}

array::scalar scalar_from_float(PyObject *x) {
  const double value = PyFloat_AsDouble(x);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  return array::scalar::of(value);
}

/// Converts a Python number of an exact type, which most numbers have; false for other objects.
bool convert_builtin(PyObject *x, array::scalar &into) {
  if (PyFloat_CheckExact(x))
    into = array::scalar::of(PyFloat_AS_DOUBLE(x));
  else if (PyLong_CheckExact(x)) {
    int overflow;
    const std::int64_t value = PyLong_AsLongLongAndOverflow(x, &overflow);
    if (overflow) return false;
    into = array::scalar::of(value);
  } else if (PyBool_Check(x))
    into = array::scalar::of(x == Py_True);
  else if (PyComplex_CheckExact(x))
    into = scalar_from_complex(x);
  else
    return false;
  return true;
}

array::scalar scalar_from_numpy(PyObject *x, dtype type) {
  switch (kind_of(type)) {
  case dtype_kind::boolean:
    return array::scalar::of(PyObject_IsTrue(x) == 1);
  case dtype_kind::signed_integer:
  case dtype_kind::unsigned_integer:
    return scalar_from_int(nb::steal(PyNumber_Index(x)).ptr());
  case dtype_kind::real:
    return scalar_from_float(x);
  case dtype_kind::complex:
    break;
  }
  return scalar_from_complex(x);
}

bool has_interface(PyObject *x) {
  return !is_numpy_array(x) && !type_of_numpy_scalar(x) && PyObject_HasAttrString(x, "__sycl_usm_array_interface__");
}

}  // namespace

std::optional<number> number_from(PyObject *x) {
  array::scalar builtin;
  if (convert_builtin(x, builtin)) return number{builtin, {}};
  if (PyLong_CheckExact(x)) return number{scalar_from_int(x), {}};
  if (const auto type = type_of_numpy_scalar(x)) return number{scalar_from_numpy(x, *type), type};
  if (PyLong_Check(x)) return number{scalar_from_int(x), {}};
  if (PyFloat_Check(x)) return number{scalar_from_float(x), {}};
  if (PyComplex_Check(x)) return number{scalar_from_complex(x), {}};
  return {};
}

std::optional<number> number_from(PyObject *x, dtype to) {
  const dtype_kind kind = kind_of(to);
  const bool is_integer = kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer;
  if (!is_integer && PyLong_Check(x) && !fits_64_bits(x)) [[unlikely]]
    return number{real_from_int(x), {}};
  return number_from(x);
}

array::scalar scalar_argument(nb::handle x, const char *function, const char *argument) {
  if (const auto found = number_from(x.ptr())) return found->value;
  throw type_error(std::string(function) + ": " + argument + " must be a number, got " + type_of(x));
}

PyObject *to_python(const array::scalar &x) noexcept {
  switch (x.what) {
  case array::scalar::kind::boolean:
    return PyBool_FromLong(x.integer != 0);
  case array::scalar::kind::integer:
    return x.beyond_int64 ? PyLong_FromUnsignedLongLong(static_cast<std::uint64_t>(x.integer))
                          : PyLong_FromLongLong(x.integer);
  case array::scalar::kind::real:
    return PyFloat_FromDouble(x.number.real());
  case array::scalar::kind::complex:
    break;
  }
  return PyComplex_FromDoubles(x.number.real(), x.number.imag());
}

void refuse_negative_powers(array::opcode code, std::span<const array::operand> operands) {
  if (code != array::opcode::pow) [[likely]]
    return;
  const auto is_whole = [](const array::operand &o) {
    if (o.number) return o.number->what == array::scalar::kind::integer;
    const dtype_kind kind = kind_of(o.array->type());
    return kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer;
  };
  const array::operand &base = operands[0], &exponent = operands[1];
  const bool base_is_bool =
      base.array ? base.array->type() == dtype::boolean : base.number->what == array::scalar::kind::boolean;
  if (!is_whole(exponent) || !(is_whole(base) || base_is_bool)) return;
  bool negative;
  if (exponent.number) {
    negative = !exponent.number->beyond_int64 && exponent.number->integer < 0;
  } else {
    if (kind_of(exponent.array->type()) != dtype_kind::signed_integer || exponent.array->size() == 0) return;
    if (array::is_known_non_negative(*exponent.array)) return;
    const array::scalar zero = array::scalar::of(std::int64_t{0});
    const array::operand compared[] = {exponent, {.number = &zero}};
    const ndarray any = array::reduce(array::reduction::any, array::element(array::opcode::less, compared));
    negative = element_of(any, "power").integer != 0;
  }
  if (negative)
    throw value_error("power: Integers to negative integer powers are not allowed; convert the base or the exponents "
                      "to floats");
}

void refuse_bools(array::opcode code, std::span<const array::operand> operands, const char *function) {
  if (!has_property(code, array::operation_properties::NO_BOOL_IN_NUMPY)) return;
  for (const array::operand &o : operands)
    if (o.array ? o.array->type() != dtype::boolean : o.number->what != array::scalar::kind::boolean) return;
  throw type_error(std::string(function) + ": not defined for bools; use the logical or bitwise functions");
}

namespace {

[[noreturn]] void raise_type_error_of_ufuncs(const char *message) {
  const nb::object type = nb::module_::import_("dpnp.exceptions").attr("UFuncTypeError");
  PyErr_SetString(type.ptr(), message);
  throw nb::python_error();
}

}  // namespace

void refuse_as_numpy(array::opcode code, std::span<const array::operand> operands, const array::error &e) {
  if (e.why() == array::refusal::type) raise_type_error_of_ufuncs(e.what());
  if (e.why() != array::refusal::value) return;
  const ndarray *like = nullptr;
  for (const array::operand &o : operands)
    if (o.array && !like) like = o.array;
  if (!like) return;
  try {
    array::resolve(code, operands, like->get_queue().get_device());
  } catch (const array::error &unresolved) {
    raise_type_error_of_ufuncs(unresolved.what());
  }
}

operands::operands(std::span<PyObject *const> given, array::opcode code, const char *function, unsupported policy)
    : count_(given.size()) {
  unsigned unresolved = 0;
  for (std::size_t k = 0; k < given.size(); ++k) {
    PyObject *x = given[k];
    if (is_array(x)) {
      operands_[k].array = &array_of(x);
      if (!queue_) queue_ = &array_of(x).get_queue();
      if (package_of(x) == package::dpnp) whose_ = package::dpnp;
    } else if (convert_builtin(x, numbers_[k])) {
      operands_[k].number = &numbers_[k];
    } else {
      unresolved |= 1u << k;
    }
  }
  if (unresolved || !queue_) [[unlikely]]
    convert(given, unresolved, code, function, policy);
}

void operands::convert(std::span<PyObject *const> given, unsigned unresolved, array::opcode code, const char *function,
                       unsupported policy) {
  const std::string name = function ? function : "operation";
  const auto each_unresolved = [&](auto &&convert) {
    for (std::size_t k = 0; k < given.size(); ++k)
      if (unresolved >> k & 1 && convert(k)) unresolved &= ~(1u << k);
  };
  const auto store = [&](std::size_t k, ndarray array) {
    made_[k] = std::move(array);
    operands_[k].array = &made_[k];
    return true;
  };
  // Objects with USM memory determine the queue; objects with host memory are copied to it.
  each_unresolved([&](std::size_t k) {
    if (!has_interface(given[k])) return false;
    store(k, array_from(given[k]));
    if (!queue_) queue_ = &made_[k].get_queue();
    return true;
  });
  if (!queue_)
    throw array::error(array::refusal::placement,
                       "Execution placement can not be unambiguously inferred from input arguments. " + name +
                           ": expected at least one array or object with __sycl_usm_array_interface__");
  const ndarray *like = nullptr;
  for (const array::operand &o : operands_)
    if (o.array && !like) like = o.array;
  const array::placement beside{*queue_, like->memory_kind()};
  const auto is_inexact = [](const array::operand &o) {
    return o.array && (kind_of(o.array->type()) == dtype_kind::real || kind_of(o.array->type()) == dtype_kind::complex);
  };
  const bool inexact = std::ranges::any_of(operands_, is_inexact);
  const bool takes_any = inexact || has_property(code, array::operation_properties::ANY_INTEGER);
  each_unresolved([&](std::size_t k) {
    if (!takes_any || !PyLong_Check(given[k]) || fits_64_bits(given[k])) return false;
    const bool is_compared = !inexact && facts_of(code).result == array::result_rule::COMPARISON;
    numbers_[k] = is_compared ? infinity_like(given[k]) : real_from_int(given[k]);
    operands_[k].number = &numbers_[k];
    return true;
  });
  each_unresolved([&](std::size_t k) {
    if (const auto n = number_from(given[k])) {
      // A NumPy scalar of the array's dtype has the same effect as a Python number, which needs no array.
      if (!n->type || (given.size() == 2 && *n->type == like->type())) {
        numbers_[k] = n->value;
        operands_[k].number = &numbers_[k];
        return true;
      }
      return store(k, array::full({}, n->value, *n->type, beside));
    }
    if (!PyObject_CheckBuffer(given[k])) return false;
    if (whose_ == package::dpnp)  // an implicit copy to the device would be hidden
      throw type_error(name + ": An array must be any of supported type, but got " + type_of(given[k]) +
                       "; convert it with dpnp.asarray first");
    const host_array host(given[k], false);
    return store(k, array::from_host(host.view(), host.type(), beside));
  });
  convertible_ = !unresolved;
  if (convertible_ || policy == unsupported::report) return;
  std::string types;
  each_unresolved([&](std::size_t k) {
    types += (types.empty() ? "" : " and ") + type_of(given[k]);
    return false;
  });
  throw value_error(name + ": expected an array or a number, got " + types);
}

}  // namespace dpep::python
