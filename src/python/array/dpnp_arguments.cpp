// Checks of arguments, placement and output arrays for dpnp's functions in Python. The first argument of each is the
// name of the operation for its error messages.
#include "functions.hpp"
#include "numpy_types.hpp"

namespace dpep::python {
namespace {

bool is_number(PyObject *x) noexcept {
  return PyFloat_Check(x) || PyLong_Check(x) || PyComplex_Check(x) || type_of_numpy_scalar(x);
}

[[noreturn]] void refuse_object(const char *operation, nb::handle x, bool numbers_are_allowed) {
  throw type_error(std::string(operation) + ": An array must be any of supported type" +
                   (numbers_are_allowed ? " or a number" : "") + ", but got " + type_of(x) +
                   "; supported are the arrays of dpnp and dpctl.tensor");
}

nb::object checked_array(const char *operation, nb::handle x) {
  check_array(operation, x);
  return as_package(x, package::dpnp);
}

void check_arrays(const char *operation, const nb::args &arrays) {
  for (nb::handle x : arrays) check_array(operation, x);
}

void check_numbers(const char *operation, const nb::args &values) {
  for (nb::handle x : values) check_number(operation, x);
}

void check_operands(const char *operation, const nb::args &values) {
  check_numbers(operation, values);
  for (nb::handle x : values)
    if (is_array(x.ptr())) return;
  throw type_error(std::string(operation) + ": expected at least one array, got only numbers");
}

nb::object store(const char *operation, nb::handle x, nb::handle out, nb::handle casting) {
  const ndarray &result = array_argument(x, operation, "result");
  const ndarray *to = optional_array(out, operation, "out");
  if (!to) return as_package(x, package::dpnp);
  const array::casting rule = casting_from(casting);
  if (rule == array::casting::unsafe) warn_of_lost_imaginary_part(operation, result.type(), to->type());
  array::store_result(*to, result, operation, rule);
  return as_package(out, package::dpnp);
}

nb::dict placement_of(const char *operation, const nb::args &objects) {
  std::vector<ndarray> arrays;
  nb::object first;
  for (nb::handle x : objects) {
    if (!is_array(x.ptr())) continue;
    if (arrays.empty()) first = nb::borrow(x);
    arrays.push_back(array_of(x.ptr()));
  }
  nb::dict keywords;
  if (arrays.empty()) return keywords;
  const array::placement common = array::common_placement(arrays, operation);
  keywords["usm_type"] = name_of(common.kind);
  keywords["sycl_queue"] = first.attr("sycl_queue");
  return keywords;
}

nb::object placed_like(nb::handle x, nb::handle like, nb::handle type) {
  if (is_array(x.ptr())) return as_package(x, package::dpnp);
  const ndarray &a = array_argument(like, "placed_like", "like");
  conversion how;
  how.type = optional_dtype(type);
  how.kind = a.memory_kind();
  how.queue = a.get_queue();
  return to_python(array_from(x, how), package::dpnp);
}

}  // namespace

void check_array(const char *function, nb::handle x) {
  if (!is_array(x.ptr())) refuse_object(function, x, false);
}

void check_number(const char *function, nb::handle x) {
  if (!is_array(x.ptr()) && !is_number(x.ptr())) refuse_object(function, x, true);
}

void bind_dpnp_arguments(nb::module_ &m) {
  m.def("checked_array", checked_array, nb::arg(), nb::arg().none(),
        nb::sig("def checked_array(operation: str, x: object, /) -> ndarray"),
        "Return a dpnp.ndarray that shares an array's memory. Raises TypeError for other objects.");
  m.def("check_arrays", check_arrays, nb::arg(), nb::arg(),
        nb::sig("def check_arrays(operation: str, /, *arrays: object) -> None"),
        "Raise TypeError for objects that are not arrays.");
  m.def("check_numbers", check_numbers, nb::arg(), nb::arg(),
        nb::sig("def check_numbers(operation: str, /, *values: object) -> None"),
        "Raise TypeError for objects that are neither arrays nor numbers.");
  m.def("check_operands", check_operands, nb::arg(), nb::arg(),
        nb::sig("def check_operands(operation: str, /, *operands: object) -> None"),
        "Raise TypeError for objects that are neither arrays nor numbers, and when no object is an array.");
  m.def(
      "check_default",
      [](const char *operation, const char *keyword, nb::handle given, nb::handle standard) {
        check_default(operation, keyword, given.ptr(), standard.ptr());
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
      nb::sig("def check_default(operation: str, keyword: str, given: object, standard: object, /) -> None"),
      "Raise NotImplementedError for a keyword of NumPy's that only supports its default value.");
  m.def("store_result", store, nb::arg(), nb::arg(), nb::arg().none(), nb::arg() = "unsafe",
        nb::sig("def store_result(operation: str, result: object, out: object, casting: str = 'unsafe', /) -> ndarray"),
        "Copy a result to an output array, and return that; for None return the result.");
  m.def(
      "integer_indices",
      [](const char *function, nb::handle x) {
        const ndarray &a = array_argument(x, function, "indices");
        return to_python(array::numpy_indices(a, function), package_of(x.ptr()));
      },
      nb::arg(), nb::arg(), nb::sig("def integer_indices(function: str, x: ndarray, /) -> ndarray"),
      "Return the indices, bools as integers. TypeError for another dtype.");
  m.def(
      "check_safe_cast",
      [](const char *function, nb::handle values, nb::handle to) {
        array::check_safe_cast(array_argument(values, function, "vals"), array_argument(to, function, "a"), function);
      },
      nb::arg(), nb::arg(), nb::arg(),
      nb::sig("def check_safe_cast(function: str, values: ndarray, to: ndarray, /) -> None"),
      "Raise TypeError unless values can be cast safely to an array's dtype.");
  m.def("placement_of", placement_of, nb::arg(), nb::arg(),
        nb::sig("def placement_of(operation: str, /, *objects: object) -> dict[str, object]"),
        "Return the placement of a result computed from objects, as keyword arguments of functions that create\n"
        "arrays; empty without arrays. Raises ExecutionPlacementError when they are on different queues.");
  m.def("placed_like", placed_like, nb::arg().none(), nb::arg(), nb::arg() = nb::none(),
        nb::sig("def placed_like(x: object, like: object, dtype: object = None, /) -> ndarray"),
        "Return an array as a dpnp.ndarray, or a new array with the elements of another object, placed like `like`.");
}

}  // namespace dpep::python
