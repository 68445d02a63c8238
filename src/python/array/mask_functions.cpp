// nonzero, extract, place, put and put_along_axis.
#include <dpep/array_indexing.hpp>

#include "functions.hpp"
#include "mask_docs.hpp"

namespace dpep::python {
namespace {

nb::object nonzero(nb::handle x) {
  const ndarray &a = array_argument(x, "nonzero", "arr");
  std::vector<ndarray> found = computing(a.size(), [&] { return array::nonzero(a); });
  nb::list parts;
  for (ndarray &part : found) parts.append(to_python(std::move(part), package_of(x.ptr())));
  return nb::tuple(parts);
}

nb::object extract(nb::handle condition, nb::handle x) {
  const ndarray &mask = array_argument(condition, "extract", "condition"), &a = array_argument(x, "extract", "arr");
  if (!std::ranges::equal(mask.shape(), a.shape()))
    throw value_error("extract: expected a condition of the array's shape " + text_of_shape(a.shape()) + ", got " +
                      text_of_shape(mask.shape()));
  return to_python(computing(a.size(), [&] { return array::extract_elements(a, mask); }), package_of(x.ptr()));
}

void place(nb::handle x, nb::handle mask, nb::handle values) {
  const ndarray &a = array_argument(x, "place", "arr"), &m = array_argument(mask, "place", "mask"),
                &v = array_argument(values, "place", "vals");
  if (m.type() != dtype::boolean)
    throw type_error("place: mask must be an array of bools, got " + std::string(name_of(m.type())));
  computing(a.size(), [&] { array::place(a, m, v); });
}

array::index_mode mode_from(nb::handle x, const char *function) {
  const std::string name = nb::isinstance<nb::str>(x) ? text_of(x) : std::string();
  if (name == "wrap") return array::index_mode::wrap;
  if (name == "clip") return array::index_mode::clip;
  throw value_error(std::string(function) + ": mode must be 'wrap' or 'clip', got " + text_of(nb::repr(x)));
}

void put(nb::handle x, nb::handle indices, nb::handle values, nb::handle axis, nb::handle mode) {
  const ndarray &a = array_argument(x, "put", "x"), &at = array_argument(indices, "put", "indices");
  const array::index_mode how = mode_from(mode, "put");
  if (at.dimensions() != 1)
    throw value_error("put: expected indices with one axis, got shape " + text_of_shape(at.shape()));
  if (axis.is_none() && a.dimensions() > 1)
    throw value_error("put: axis cannot be None for an array of " + std::to_string(a.dimensions()) + " axes");
  const ndarray v = values_for(a, values, "put");
  const int front[] = {0};
  const ndarray to = a.dimensions() == 0 ? array::expand_dims(a, front) : a;
  const int which = axis.is_none() ? 0 : axis_from(axis, to.dimensions(), "put");
  computing(std::max(a.size(), at.size()), [&] { array::put_elements(to, {&at, 1}, which, v, how); });
}

void put_along_axis(nb::handle x, nb::handle indices, nb::handle values, nb::handle axis, nb::handle mode) {
  const ndarray &a = array_argument(x, "put_along_axis", "x"),
                &at = array_argument(indices, "put_along_axis", "indices");
  const array::index_mode how = mode_from(mode, "put_along_axis");
  const ndarray v = values_for(a, values, "put_along_axis");
  const int which = axis_from(axis, a.dimensions(), "put_along_axis");
  computing(std::max(a.size(), at.size()), [&] { array::put_along_axis(a, at, which, v, how); });
}

}  // namespace

ndarray values_for(const ndarray &to, nb::handle values, const char *function) {
  if (is_array(values.ptr())) return array_of(values.ptr());
  if (const auto n = number_from(values.ptr())) {
    const ndarray element = array::empty({}, to.type(), {to.get_queue(), to.memory_kind()});
    array::assign(element, n->value);
    return element;
  }
  conversion options;
  options.queue = to.get_queue();
  if (PyObject_CheckBuffer(values.ptr()) || PyList_Check(values.ptr()) || PyTuple_Check(values.ptr()))
    return array_from(values, options);
  throw type_error(std::string(function) + ": vals must be an array or a number, got " + type_of(values));
}

void bind_mask_functions(nb::module_ &m) {
  m.def("nonzero", nonzero, nb::arg(), nb::sig("def nonzero(arr: usm_ndarray, /) -> tuple[usm_ndarray, ...]"),
        docs::nonzero);
  m.def("extract", extract, nb::arg("condition"), nb::arg("arr"),
        nb::sig("def extract(condition: usm_ndarray, arr: usm_ndarray) -> usm_ndarray"), docs::extract);
  m.def("place", place, nb::arg("arr"), nb::arg("mask"), nb::arg("vals"),
        nb::sig("def place(arr: usm_ndarray, mask: usm_ndarray, vals: usm_ndarray) -> None"), docs::place);
  m.def("put", put, nb::arg(), nb::arg(), nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(),
        nb::arg("mode") = "wrap",
        nb::sig("def put(x: usm_ndarray, indices: usm_ndarray, vals: usm_ndarray | complex, /, *, "
                "axis: int | None = None, mode: str = 'wrap') -> None"),
        docs::put);
  m.def("put_along_axis", put_along_axis, nb::arg(), nb::arg(), nb::arg(), nb::kw_only(), nb::arg("axis") = -1,
        nb::arg("mode") = "wrap",
        nb::sig("def put_along_axis(x: usm_ndarray, indices: usm_ndarray, vals: usm_ndarray | complex, /, *, "
                "axis: int = -1, mode: str = 'wrap') -> None"),
        docs::put_along_axis);
}

}  // namespace dpep::python
