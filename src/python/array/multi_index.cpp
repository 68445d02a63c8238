// Elements at several arrays of indices, or at a mask, from an axis on: functions of dpctl.tensor._copy_utils.
#include <dpep/array_indexing.hpp>

#include "functions.hpp"

namespace dpep::python {
namespace {

array::index_mode mode_from_number(nb::handle mode, const char *function) {
  const Py_ssize_t number = PyNumber_AsSsize_t(mode.ptr(), PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  if (number == 0) return array::index_mode::wrap;
  if (number == 1) return array::index_mode::clip;
  throw value_error(std::string(function) + ": mode must be 0 (wrap) or 1 (clip), got " + std::to_string(number));
}

/// The arrays of indices: an array, or a sequence of arrays and ints with at least one array.
std::vector<ndarray> indices_from(nb::handle given, const ndarray &x, const char *function) {
  nb::list items;
  if (PyList_Check(given.ptr()) || PyTuple_Check(given.ptr()))
    for (nb::handle i : given) items.append(i);
  else
    items.append(given);
  std::vector<ndarray> indices;
  bool any_array = false;
  for (nb::handle i : items) {
    if (is_array(i.ptr())) {
      any_array = true;
      indices.push_back(array_of(i.ptr()));
    } else if (PyIndex_Check(i.ptr())) {
      const array::scalar number = scalar_argument(i, function, "inds");
      indices.push_back(array::full({}, number, dtype::int64, {x.get_queue(), x.memory_kind()}));
    } else {
      throw type_error(std::string(function) + ": inds must have arrays and ints only, got " + type_of(i));
    }
  }
  if (!any_array) throw type_error(std::string(function) + ": inds must have at least one array");
  dtype common = indices[0].type();
  for (const ndarray &i : indices) common = array::promote(common, i.type());
  if (kind_of(common) == dtype_kind::real && indices.size() > 1)
    throw value_error(std::string(function) + ": the dtypes of the indices have no common integer dtype");
  return indices;
}

nb::object take(nb::handle x, nb::handle inds, nb::handle p, nb::handle mode) {
  constexpr const char *name = "_take_multi_index";
  const ndarray &a = array_argument(x, name, "ary");
  const int axis = axis_from(p, a.dimensions(), name);
  const array::index_mode how = mode_from_number(mode, name);
  const std::vector<ndarray> indices = indices_from(inds, a, name);
  return to_python(computing(indices[0].size(), [&] { return array::take_elements(a, indices, axis, how); }),
                   package_of(x.ptr()));
}

void put(nb::handle x, nb::handle inds, nb::handle p, nb::handle vals, nb::handle mode) {
  constexpr const char *name = "_put_multi_index";
  const ndarray &a = array_argument(x, name, "ary");
  const int axis = axis_from(p, a.dimensions(), name);
  const array::index_mode how = mode_from_number(mode, name);
  const std::vector<ndarray> indices = indices_from(inds, a, name);
  const ndarray values = values_for(a, vals, name);
  computing(indices[0].size(), [&] { array::put_elements(a, indices, axis, values, how); });
}

/// The axis of a mask's first axis; ValueError if the mask has axes beyond the array's.
int first_axis_from(nb::handle axis, const ndarray &x, const ndarray &mask, const char *function) {
  const int first = axis_from(axis, x.dimensions(), function);
  if (first + mask.dimensions() > x.dimensions())
    throw value_error(std::string(function) + ": the array has " + std::to_string(x.dimensions()) + " axes, the mask " +
                      std::to_string(mask.dimensions()) + " from axis " + std::to_string(first) + " on");
  return first;
}

nb::object extract(nb::handle x, nb::handle mask, nb::handle axis) {
  constexpr const char *name = "_extract_impl";
  const ndarray &a = array_argument(x, name, "ary"), &m = array_argument(mask, name, "ary_mask");
  const int first = first_axis_from(axis, a, m, name);
  return to_python(computing(a.size(), [&] { return array::extract_elements(a, m, first); }), package_of(x.ptr()));
}

void place(nb::handle x, nb::handle mask, nb::handle vals, nb::handle axis) {
  constexpr const char *name = "_place_impl";
  const ndarray &a = array_argument(x, name, "ary"), &m = array_argument(mask, name, "ary_mask");
  const ndarray values = values_for(a, vals, name);
  const int first = first_axis_from(axis, a, m, name);
  computing(a.size(), [&] { array::place_elements(a, m, first, values); });
}

}  // namespace

void bind_multi_index(nb::module_ &m) {
  m.def("take_multi_index", take, nb::arg("ary"), nb::arg("inds"), nb::arg("p"), nb::arg("mode") = 0,
        nb::sig("def take_multi_index(ary: usm_ndarray, inds: object, p: int, mode: int = 0) -> usm_ndarray"),
        "Return the elements at arrays of indices along the axes from `p` on. Indices out of bounds are limited: as\n"
        "by the mode 'wrap' of `take` for mode 0, as by 'clip' for mode 1.");
  m.def("put_multi_index", put, nb::arg("ary"), nb::arg("inds"), nb::arg("p"), nb::arg("vals"), nb::arg("mode") = 0,
        nb::sig("def put_multi_index(ary: usm_ndarray, inds: object, p: int, vals: usm_ndarray | complex, "
                "mode: int = 0) -> None"),
        "Set the elements that `take_multi_index` returns to values, which are broadcast.");
  m.def("extract_from_axis", extract, nb::arg("ary"), nb::arg("ary_mask"), nb::arg("axis") = 0,
        nb::sig("def extract_from_axis(ary: usm_ndarray, ary_mask: usm_ndarray, axis: int = 0) -> usm_ndarray"),
        "Return the elements where a mask of the axes from `axis` on is true. One axis replaces these axes.");
  m.def("place_from_axis", place, nb::arg("ary"), nb::arg("ary_mask"), nb::arg("vals"), nb::arg("axis") = 0,
        nb::sig("def place_from_axis(ary: usm_ndarray, ary_mask: usm_ndarray, vals: usm_ndarray | complex, "
                "axis: int = 0) -> None"),
        "Set the elements that `extract_from_axis` returns to values, which are broadcast.");
}

}  // namespace dpep::python
