// Functions that return views or copies with elements in other places: reshape, permute_dims, concat, roll, repeat, …
#include <algorithm>
#include <climits>

#include "functions.hpp"
#include "manipulation_docs.hpp"

namespace dpep::python {
namespace {

using axes_vector = std::vector<int>;

/// The Python object of a function's result: `x` itself when the function returned the same array.
nb::object result_object(nb::handle x, ndarray result) {
  return result == array_of(x.ptr()) ? nb::borrow(x) : to_python(std::move(result), package_of(x.ptr()));
}

/// Axes whose range the engine checks. Numbers beyond int become its limits, which are out of range for every array.
axes_vector unchecked_axes(nb::handle axes, const char *function) {
  const auto numbers = integers_from(axes, function, "axis");
  const array::extents all = numbers;
  axes_vector list(all.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = static_cast<int>(std::clamp<std::int64_t>(all[i], INT_MIN, INT_MAX));
  return list;
}
/// The same for a single axis.
int unchecked_axis(nb::handle axis, const char *function) {
  const axes_vector axes = unchecked_axes(axis, function);
  if (axes.size() != 1) throw type_error(std::string(function) + ": axis must be an int, got " + type_of(axis));
  return axes[0];
}

// --- views ---

nb::object permute_dims(nb::handle x, nb::handle axes) {
  const ndarray &a = array_argument(x, "permute_dims", "x");
  return result_object(x, array::permute(a, unchecked_axes(axes, "permute_dims")));
}

nb::object expand_dims(nb::handle x, nb::handle axis) {
  const ndarray &a = array_argument(x, "expand_dims", "x");
  return result_object(x, array::expand_dims(a, unchecked_axes(axis, "expand_dims")));
}

nb::object squeeze(nb::handle x, nb::handle axis) {
  const ndarray &a = array_argument(x, "squeeze", "x");
  return result_object(x, axis.is_none() ? array::squeeze(a) : array::squeeze(a, unchecked_axes(axis, "squeeze")));
}

nb::object broadcast_to(nb::handle x, nb::handle shape) {
  const ndarray &a = array_argument(x, "broadcast_to", "x");
  return result_object(x, array::broadcast_to(a, shape_from(shape, "broadcast_to")));
}

nb::object broadcast_arrays(const nb::args &arrays) {
  std::vector<ndarray> given;
  for (nb::handle x : arrays) given.push_back(array_argument(x, "broadcast_arrays", "arrays"));
  std::vector<ndarray> results = array::broadcast_arrays(given);
  nb::list list;
  for (std::size_t i = 0; i < results.size(); ++i) list.append(result_object(arrays[i], std::move(results[i])));
  return list;
}

nb::object flip(nb::handle x, nb::handle axis) {
  const ndarray &a = array_argument(x, "flip", "x");
  return result_object(x, axis.is_none() ? array::flip(a) : array::flip(a, unchecked_axes(axis, "flip")));
}

nb::object moveaxis(nb::handle x, nb::handle source, nb::handle destination) {
  const ndarray &a = array_argument(x, "moveaxis", "x");
  const axes_vector from = unchecked_axes(source, "moveaxis: source");
  return result_object(x, array::moveaxis(a, from, unchecked_axes(destination, "moveaxis: destination")));
}

nb::object swapaxes(nb::handle x, nb::handle axis1, nb::handle axis2) {
  const ndarray &a = array_argument(x, "swapaxes", "x");
  const int first = axis_from(axis1, a.dimensions(), "swapaxes");
  return result_object(x, array::swapaxes(a, first, axis_from(axis2, a.dimensions(), "swapaxes")));
}

nb::object matrix_transpose(nb::handle x) {
  return result_object(x, array::matrix_transpose(array_argument(x, "matrix_transpose", "x")));
}

nb::object unstack(nb::handle x, nb::handle axis) {
  const ndarray &a = array_argument(x, "unstack", "x");
  nb::list views;
  for (ndarray &view : array::unstack(a, axis_from(axis, a.dimensions(), "unstack")))
    views.append(to_python(std::move(view), package_of(x.ptr())));
  return nb::tuple(views);
}

nb::object reshape(nb::handle x, nb::handle shape, nb::handle order, nb::handle copy) {
  const ndarray &a = array_argument(x, "reshape", "x");
  const extents_argument extents = integers_from(shape, "reshape", "shape");
  const array::order o = contiguous_order_from(order, "reshape");
  std::optional<bool> always;
  if (copy.ptr() == Py_True || copy.ptr() == Py_False)
    always = copy.ptr() == Py_True;
  else if (!copy.is_none())
    throw value_error("reshape: copy must be True, False or None, got " + type_of(copy));
  return result_object(x, array::reshape(a, extents, o, always));
}

// --- copies ---

/// The arrays that concat and stack join.
struct array_sequence {
  std::vector<ndarray> arrays;
  package whose = package::dpctl;  // of the result
};

array_sequence arrays_from(nb::handle x, const char *function) {
  if (!PyList_Check(x.ptr()) && !PyTuple_Check(x.ptr()))
    throw type_error(std::string(function) + ": arrays must be a list or tuple, got " + type_of(x));
  array_sequence all;
  for (nb::handle item : nb::borrow<nb::sequence>(x)) {
    all.arrays.push_back(array_argument(item, function, "arrays"));
    all.whose = std::max(all.whose, package_of(item.ptr()));
  }
  return all;
}

nb::object concat(nb::handle arrays, nb::handle axis) {
  const array_sequence all = arrays_from(arrays, "concat");
  std::optional<int> along;
  if (!axis.is_none()) along = unchecked_axis(axis, "concat");
  return to_python(without_gil([&] { return array::concat(all.arrays, along); }), all.whose);
}

nb::object stack(nb::handle arrays, nb::handle axis) {
  const array_sequence all = arrays_from(arrays, "stack");
  const int along = unchecked_axis(axis, "stack");
  return to_python(without_gil([&] { return array::stack(all.arrays, along); }), all.whose);
}

/// The int, or the ints of the sequence, that an argument of roll is. ValueError for nested sequences.
std::vector<nb::object> ints_of(nb::handle x, const char *argument) {
  std::vector<nb::object> list;
  const auto take = [&](nb::handle item) {
    const nb::object index = nb::steal(PyNumber_Index(item.ptr()));
    if (!index.is_valid()) throw nb::python_error();
    list.push_back(index);
  };
  if (is_one_integer(x)) {
    take(x);
    return list;
  }
  const std::string wanted = std::string("roll: ") + argument + " must be an int or a sequence of ints, got ";
  if (PyUnicode_Check(x.ptr())) throw type_error(wanted + "str");
  for (nb::handle item : nb::borrow<nb::sequence>(x)) {
    if (PySequence_Check(item.ptr()) && !is_one_integer(item)) throw value_error(wanted + "nested sequences");
    take(item);
  }
  return list;
}

/// The shift; one beyond 64 bits modulo the number of elements, which is a multiple of each axis' length.
std::int64_t shift_from(const nb::object &shift, std::int64_t size) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(shift.ptr(), &overflow);
  return overflow ? nb::cast<std::int64_t>(nb::object(shift % nb::int_(std::max<std::int64_t>(size, 1)))) : value;
}

nb::object roll(nb::handle x, nb::handle shift, nb::handle axis) {
  const ndarray &a = array_argument(x, "roll", "x");
  std::vector<std::int64_t> by;
  for (const nb::object &n : ints_of(shift, "shift")) by.push_back(shift_from(n, a.size()));
  axes_vector along;
  if (!axis.is_none())
    for (const nb::object &n : ints_of(axis, "axis")) along.push_back(axis_from(n, a.dimensions(), "roll"));
  std::optional<std::span<const int>> axes;
  if (!axis.is_none()) axes = along;
  return to_python(computing(a.size(), [&] { return array::roll(a, by, axes); }), package_of(x.ptr()));
}

std::int64_t count_from(nb::handle x) {
  const nb::object index = nb::steal(PyNumber_Index(x.ptr()));
  const long long count = index.is_valid() ? PyLong_AsLongLong(index.ptr()) : -1;
  if (count == -1 && PyErr_Occurred()) throw nb::python_error();
  return count;
}

/// The number of copies of each element: one number for all elements, or one for each.
std::vector<std::int64_t> repetitions_from(nb::handle repeats, const ndarray &a) {
  if (is_array(repeats.ptr())) {
    const ndarray &counts = array_of(repeats.ptr());
    wait_for_queue_of(counts);
    return array::repetition_counts(counts, a);
  }
  std::vector<std::int64_t> counts;
  if (is_one_integer(repeats)) {
    counts.push_back(count_from(repeats));
  } else if (PySequence_Check(repeats.ptr()) && !PyUnicode_Check(repeats.ptr()) && !PyBytes_Check(repeats.ptr())) {
    for (nb::handle item : nb::borrow<nb::sequence>(repeats)) counts.push_back(count_from(item));
  } else {
    throw type_error("repeat: repeats must be an int, a sequence of ints or a usm_ndarray, got " + type_of(repeats));
  }
  return counts;
}

nb::object repeat(nb::handle x, nb::handle repeats, nb::handle axis) {
  const ndarray &a = array_argument(x, "repeat", "x");
  std::optional<int> along;
  if (!axis.is_none()) along = axis_from(axis, a.dimensions(), "repeat");
  const auto counts = repetitions_from(repeats, a);
  return to_python(computing(a.size(), [&] { return array::repeat(a, counts, along); }), package_of(x.ptr()));
}

nb::object tile(nb::handle x, nb::handle repetitions) {
  const ndarray &a = array_argument(x, "tile", "x");
  if (!PyTuple_Check(repetitions.ptr()) && !PyLong_Check(repetitions.ptr()))
    throw type_error("tile: repetitions must be an int or a tuple of ints, got " + type_of(repetitions));
  const auto counts = integers_from(repetitions, "tile", "repetitions");
  return to_python(computing(a.size(), [&] { return array::tile(a, counts); }), package_of(x.ptr()));
}

}  // namespace

#define DPEP_ARRAY "x: usm_ndarray, /"

void bind_manipulation(nb::module_ &m) {
  const nb::none none;
  m.def("permute_dims", permute_dims, nb::arg(), nb::arg("axes"),
        nb::sig("def permute_dims(" DPEP_ARRAY ", axes: tuple[int, ...]) -> usm_ndarray"), docs::permute_dims);
  m.def("expand_dims", expand_dims, nb::arg(), nb::kw_only(), nb::arg("axis") = 0,
        nb::sig("def expand_dims(" DPEP_ARRAY ", *, axis: int | tuple[int, ...] = 0) -> usm_ndarray"),
        docs::expand_dims);
  m.def("squeeze", squeeze, nb::arg(), nb::arg("axis") = none,
        nb::sig("def squeeze(" DPEP_ARRAY ", " DPEP_AXES ") -> usm_ndarray"), docs::squeeze);
  m.def("broadcast_to", broadcast_to, nb::arg(), nb::arg("shape"),
        nb::sig("def broadcast_to(" DPEP_ARRAY ", shape: tuple[int, ...]) -> usm_ndarray"), docs::broadcast_to);
  m.def("broadcast_arrays", broadcast_arrays,
        nb::sig("def broadcast_arrays(*arrays: usm_ndarray) -> list[usm_ndarray]"), docs::broadcast_arrays);
  m.def("flip", flip, nb::arg(), nb::kw_only(), nb::arg("axis") = none,
        nb::sig("def flip(" DPEP_ARRAY ", *, " DPEP_AXES ") -> usm_ndarray"), docs::flip);
  m.def("moveaxis", moveaxis, nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def moveaxis(x: usm_ndarray, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) "
                "-> usm_ndarray"),
        docs::moveaxis);
  m.def("swapaxes", swapaxes, nb::arg("x"), nb::arg("axis1"), nb::arg("axis2"),
        nb::sig("def swapaxes(x: usm_ndarray, axis1: int, axis2: int) -> usm_ndarray"), docs::swapaxes);
  m.def("matrix_transpose", matrix_transpose, nb::arg("x"),
        nb::sig("def matrix_transpose(x: usm_ndarray) -> usm_ndarray"), docs::matrix_transpose);
  m.def("unstack", unstack, nb::arg(), nb::kw_only(), nb::arg("axis") = 0,
        nb::sig("def unstack(" DPEP_ARRAY ", *, axis: int = 0) -> tuple[usm_ndarray, ...]"), docs::unstack);
  m.def("reshape", reshape, nb::arg(), nb::arg("shape"), nb::kw_only(), nb::arg("order") = "C", nb::arg("copy") = none,
        nb::sig("def reshape(" DPEP_ARRAY ", shape: int | tuple[int, ...], *, order: str = 'C', "
                "copy: bool | None = None) -> usm_ndarray"),
        docs::reshape);
  m.def("concat", concat, nb::arg(), nb::kw_only(), nb::arg("axis").none() = 0,
        nb::sig("def concat(arrays: list[usm_ndarray] | tuple[usm_ndarray, ...], /, *, axis: int | None = 0) "
                "-> usm_ndarray"),
        docs::concat);
  m.def("stack", stack, nb::arg(), nb::kw_only(), nb::arg("axis") = 0,
        nb::sig("def stack(arrays: list[usm_ndarray] | tuple[usm_ndarray, ...], /, *, axis: int = 0) -> usm_ndarray"),
        docs::stack);
  m.def("roll", roll, nb::arg(), nb::arg("shift"), nb::kw_only(), nb::arg("axis") = none,
        nb::sig("def roll(" DPEP_ARRAY ", shift: int | tuple[int, ...], *, " DPEP_AXES ") -> usm_ndarray"), docs::roll);
  m.def("repeat", repeat, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("axis") = none,
        nb::sig("def repeat(x: usm_ndarray, repeats: int | list[int] | tuple[int, ...] | usm_ndarray, /, *, "
                "axis: int | None = None) -> usm_ndarray"),
        docs::repeat);
  m.def("tile", tile, nb::arg(), nb::arg(),
        nb::sig("def tile(x: usm_ndarray, repetitions: int | tuple[int, ...], /) -> usm_ndarray"), docs::tile);
}

}  // namespace dpep::python
