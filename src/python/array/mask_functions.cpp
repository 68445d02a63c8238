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
  return to_python(computing(a.size(), [&] { return array::extract(mask, a); }), package_of(x.ptr()));
}

void place(nb::handle x, nb::handle mask, nb::handle values) {
  const ndarray &a = array_argument(x, "place", "arr"), &m = array_argument(mask, "place", "mask"),
                &v = array_argument(values, "place", "vals");
  computing(a.size(), [&] { array::place(a, m, v); });
}

void put(nb::handle x, nb::handle indices, nb::handle values, nb::handle axis, nb::handle mode) {
  const ndarray &a = array_argument(x, "put", "x"), &at = array_argument(indices, "put", "indices");
  const array::index_mode how = index_mode_from(mode, "put");
  const std::optional<int> along = optional_axis_from(axis, std::max(a.dimensions(), 1), "put");
  const ndarray v = values_for(a, values, "put");
  computing(std::max(a.size(), at.size()), [&] { array::put(a, at, along, v, how); });
}

void put_along_axis(nb::handle x, nb::handle indices, nb::handle values, nb::handle axis, nb::handle mode) {
  const ndarray &a = array_argument(x, "put_along_axis", "x"),
                &at = array_argument(indices, "put_along_axis", "indices");
  const array::index_mode how = index_mode_from(mode, "put_along_axis");
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
