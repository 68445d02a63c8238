// Sorting: sort, argsort and top_k.
#include <dpep/array_sorting.hpp>

#include "functions.hpp"
#include "sorting_docs.hpp"

namespace dpep::python {
namespace {

void check_kind(const char *function, nb::handle kind) {
  if (kind.is_none()) return;
  const std::string text = nb::isinstance<nb::str>(kind) ? text_of(kind) : text_of(nb::repr(kind));
  if (text != "stable" && text != "mergesort" && text != "radixsort")
    throw value_error(std::string(function) + ": kind must be 'stable', 'mergesort' or 'radixsort', got " +
                      text_of(nb::repr(kind)));
}

template <ndarray function(const ndarray &, int, bool)>
void bind_sort(nb::module_ &m, const char *name, const char *sig, const char *doc) {
  m.def(
      name,
      [name](nb::handle x, nb::handle axis, bool descending, nb::handle, nb::handle kind) {
        const ndarray &a = array_argument(x, name, "x");
        check_kind(name, kind);
        const int along = a.dimensions() == 0 ? 0 : axis_from(axis, a.dimensions(), name);
        return to_python(computing(a.size(), [&] { return function(a, along, descending); }), package_of(x.ptr()));
      },
      nb::arg(), nb::kw_only(), nb::arg("axis") = -1, nb::arg("descending") = false, nb::arg("stable") = true,
      nb::arg("kind") = nb::none(), nb::sig(sig), doc);
}

nb::object top_k(nb::handle x, nb::handle k, nb::handle axis, nb::handle mode) {
  const ndarray &a = array_argument(x, "top_k", "x");
  const std::string order = nb::isinstance<nb::str>(mode) ? text_of(mode) : std::string();
  if (order != "largest" && order != "smallest")
    throw value_error("top_k: mode must be 'largest' or 'smallest', got " + text_of(nb::repr(mode)));
  if (!PyIndex_Check(k.ptr())) throw type_error("top_k: k must be an int, got " + type_of(k));
  const Py_ssize_t count = PyNumber_AsSsize_t(k.ptr(), PyExc_OverflowError);
  if (count == -1 && PyErr_Occurred()) throw nb::python_error();
  const std::optional<int> along = optional_axis_from(axis, std::max(a.dimensions(), 1), "top_k");
  array::sorted_elements found = computing(a.size(), [&] { return array::top_k(a, count, along, order == "largest"); });
  const package whose = package_of(x.ptr());
  return result_class("TopKResult")(to_python(std::move(found.values), whose),
                                    to_python(std::move(found.positions), whose));
}

}  // namespace

#define DPEP_SORT(name)                                                                                                \
  "def " name                                                                                                          \
  "(x: usm_ndarray, /, *, axis: int = -1, descending: bool = False, stable: bool = True, kind: str | None = None) "    \
  "-> usm_ndarray"

void bind_sorting(nb::module_ &m) {
  bind_sort<array::sort>(m, "sort", DPEP_SORT("sort"), docs::sort);
  bind_sort<array::argsort>(m, "argsort", DPEP_SORT("argsort"), docs::argsort);
  m.def("top_k", top_k, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("axis") = nb::none(), nb::arg("mode") = "largest",
        nb::sig("def top_k(x: usm_ndarray, k: int, /, *, axis: int | None = None, mode: str = 'largest') "
                "-> tuple[usm_ndarray, usm_ndarray]"),
        docs::top_k);
}

}  // namespace dpep::python
