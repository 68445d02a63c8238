// Searches in sorted arrays, and sets: searchsorted, digitize, unique_values and related functions, unique.
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>

#include "functions.hpp"
#include "set_docs.hpp"

namespace dpep::python {
namespace {

array::side side_from(nb::handle x) {
  const std::string name = nb::isinstance<nb::str>(x) ? text_of(x) : std::string();
  if (name == "left") return array::side::left;
  if (name == "right") return array::side::right;
  throw value_error("searchsorted: side must be 'left' or 'right', got " + text_of(nb::repr(x)));
}

nb::object searchsorted(nb::handle x1, nb::handle x2, nb::handle side, nb::handle sorter) {
  constexpr const char *name = "searchsorted";
  const ndarray &sorted = array_argument(x1, name, "x1"), &needles = array_argument(x2, name, "x2");
  const ndarray *const by = optional_array(sorter, name, "sorter");
  const array::side where = side_from(side);
  const package whose = std::max(package_of(x1.ptr()), package_of(x2.ptr()));
  return to_python(computing(needles.size(), [&] { return array::searchsorted(sorted, needles, where, by); }), whose);
}

nb::object digitize(nb::handle x, nb::handle bins, bool right) {
  check_array("digitize", bins);
  nb::object made;  // of a number, as in NumPy
  if (!is_array(x.ptr()) && number_from(x.ptr())) {
    conversion beside;
    beside.queue = array_of(bins.ptr()).get_queue();
    beside.kind = array_of(bins.ptr()).memory_kind();
    x = made = to_python(array_from(x, beside), package::dpnp);
  }
  check_array("digitize", x);
  const ndarray &elements = array_of(x.ptr()), &edges = array_of(bins.ptr());
  return to_python(computing(elements.size(), [&] { return array::digitize(elements, edges, right); }), package::dpnp);
}

nb::object isin(const char *name, nb::handle x, nb::handle test, bool invert) {
  PyObject *const given[] = {x.ptr(), test.ptr()};
  const operands both(given, array::opcode::equal, name);
  const std::int64_t elements = is_array(x.ptr()) ? array_of(x.ptr()).size() : 1;
  return to_python(computing(elements, [&] { return array::isin(both.get()[0], both.get()[1], invert); }),
                   both.whose());
}

using array::unique_elements;
using array::unique_parts;

/// The functions of the Array API.
enum class unique_function { values, counts, inverse, all };

template <unique_function f> nb::object unique_by(const char *name, nb::handle x, package whose) {
  using enum unique_function;
  const ndarray &a = array_argument(x, name, "x");
  const unique_parts wanted{
      .indices = f == all, .inverse = f == inverse || f == all, .counts = f == counts || f == all};
  unique_elements found = computing(a.size(), [&] { return array::unique(a, wanted, false); });
  const auto part = [&](ndarray &of) { return to_python(std::move(of), whose); };
  if constexpr (f == values) return part(found.values);
  if constexpr (f == counts) return result_class("UniqueCountsResult")(part(found.values), part(found.counts));
  if constexpr (f == inverse) return result_class("UniqueInverseResult")(part(found.values), part(found.inverse));
  if constexpr (f == all)
    return result_class("UniqueAllResult")(part(found.values), part(found.indices), part(found.inverse),
                                           part(found.counts));
}

template <unique_function f>
void bind_unique(nb::module_ &m, const char *name, const char *sig, const char *doc, package whose) {
  m.def(
      name,
      [name, whose](nb::handle x) {
        return unique_by<f>(name, x, is_array(x.ptr()) ? std::max(whose, package_of(x.ptr())) : whose);
      },
      nb::arg(), nb::sig(sig), doc);
}

void bind_unique_functions(nb::module_ &m, package whose) {
  using enum unique_function;
  bind_unique<values>(m, "unique_values", "def unique_values(x: usm_ndarray, /) -> usm_ndarray", docs::unique_values,
                      whose);
  bind_unique<counts>(m, "unique_counts", "def unique_counts(x: usm_ndarray, /) -> tuple[usm_ndarray, usm_ndarray]",
                      docs::unique_counts, whose);
  bind_unique<inverse>(m, "unique_inverse", "def unique_inverse(x: usm_ndarray, /) -> tuple[usm_ndarray, usm_ndarray]",
                       docs::unique_inverse, whose);
  bind_unique<all>(m, "unique_all",
                   "def unique_all(x: usm_ndarray, /) -> tuple[usm_ndarray, usm_ndarray, usm_ndarray, usm_ndarray]",
                   docs::unique_all, whose);
}

/// dpnp.unique: an array, or a tuple with the wanted parts.
/// `sorted` is NumPy's keyword: without it, elements may be in any order, and are sorted nevertheless.
nb::object unique(nb::handle x, bool return_index, bool return_inverse, bool return_counts, nb::handle axis,
                  bool equal_nan, [[maybe_unused]] bool sorted) {
  check_array("unique", x);
  const ndarray &a = array_of(x.ptr());
  const unique_parts wanted{.indices = return_index, .inverse = return_inverse, .counts = return_counts};
  std::optional<int> along;
  if (!axis.is_none()) along = axis_from(axis, a.dimensions(), "unique");
  if (a.dimensions() == 1) along.reset();  // elements, not subarrays, so that `equal_nan` has an effect
  unique_elements found = computing(
      a.size(), [&] { return along ? array::unique_along(a, *along, wanted) : array::unique(a, wanted, equal_nan); });
  nb::object values = to_python(std::move(found.values), package::dpnp);
  if (!return_index && !return_inverse && !return_counts) return values;
  nb::list parts;
  parts.append(values);
  if (return_index) parts.append(to_python(std::move(found.indices), package::dpnp));
  if (return_inverse) parts.append(to_python(std::move(found.inverse), package::dpnp));
  if (return_counts) parts.append(to_python(std::move(found.counts), package::dpnp));
  return nb::tuple(parts);
}

}  // namespace

void bind_sets(nb::module_ &m) {
  m.def("searchsorted", searchsorted, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("side") = "left",
        nb::arg("sorter") = nb::none(),
        nb::sig("def searchsorted(x1: usm_ndarray, x2: usm_ndarray, /, *, side: str = 'left', "
                "sorter: usm_ndarray | None = None) -> usm_ndarray"),
        docs::searchsorted);
  bind_unique_functions(m, package::dpctl);
  m.def(
      "isin", [](nb::handle x, nb::handle test, bool, bool invert) { return isin("isin", x, test, invert); }, nb::arg(),
      nb::arg(), nb::kw_only(), nb::arg("assume_unique") = false, nb::arg("invert") = false,
      nb::sig("def isin(x: usm_ndarray | complex, test_elements: usm_ndarray | complex, /, *, "
              "assume_unique: bool = False, invert: bool = False) -> usm_ndarray"),
      docs::isin);
}

void bind_dpnp_sets(nb::module_ &m) {
  m.def("digitize", digitize, nb::arg("x"), nb::arg("bins"), nb::arg("right") = false,
        nb::sig("def digitize(x: ndarray, bins: ndarray, right: bool = False) -> ndarray"), docs::digitize);
  bind_unique_functions(m, package::dpnp);
  m.def("unique", unique, nb::arg("ar"), nb::arg("return_index") = false, nb::arg("return_inverse") = false,
        nb::arg("return_counts") = false, nb::arg("axis") = nb::none(), nb::kw_only(), nb::arg("equal_nan") = true,
        nb::arg("sorted") = true,
        nb::sig("def unique(ar: ndarray, return_index: bool = False, return_inverse: bool = False, "
                "return_counts: bool = False, axis: int | None = None, *, equal_nan: bool = True, "
                "sorted: bool = True) "
                "-> ndarray | tuple[ndarray, ...]"),
        docs::unique);
}

}  // namespace dpep::python
