// Filters of windows, and distances between points, as parts of dpnp's functions in Python.
#include <dpep/array_distances.hpp>
#include <dpep/array_filters.hpp>

#include "choices.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

constexpr const char *borders[] = {"reflect", "mirror", "nearest", "wrap", "constant", "none"};
constexpr const char *kinds[] = {"sum", "least", "greatest", "rank"};

nb::object extend(nb::handle x, nb::handle before, nb::handle after, nb::handle mode, double number, nb::handle type) {
  const ndarray &a = array_argument(x, "extend", "x");
  const extents_argument first = integers_from(before, "extend", "before"),
                         last = integers_from(after, "extend", "after");
  const auto how = choice<array::border>(mode, borders, "extend", "mode");
  const dtype as = dtype_from(type);
  return to_python(computing(a.size(), [&] { return array::extend(a, first, last, how, number, as); }), package::dpnp);
}

nb::object filter(nb::handle x, nb::handle kind, std::vector<std::int64_t> window, std::vector<std::int64_t> before,
                  nb::handle mode, double number, std::vector<std::int64_t> taps, std::vector<double> weights,
                  std::vector<std::int64_t> opposites, bool subtract, std::int64_t rank) {
  const ndarray &a = array_argument(x, "filter", "x");
  const array::window_filter f{choice<array::filter_kind>(kind, kinds, "filter", "kind"),
                               std::move(window),
                               std::move(before),
                               choice<array::border>(mode, borders, "filter", "mode"),
                               number,
                               std::move(taps),
                               std::move(opposites),
                               subtract,
                               std::move(weights),
                               rank};
  return to_python(computing(a.size(), [&] { return array::filter(a, f); }), package::dpnp);
}

nb::object distances(nb::handle kind, nb::handle x, nb::handle y, nb::handle weights) {
  constexpr const char *kinds_of_distances[] = {"squares",  "differences", "greatest", "unequal",
                                                "relative", "sums",        "products"};
  const auto how = choice<array::distance_kind>(kind, kinds_of_distances, "distances", "kind");
  const ndarray &a = array_argument(x, "distances", "x");
  const ndarray *const b = y.is_none() ? nullptr : &array_argument(y, "distances", "y");
  const ndarray *const w = weights.is_none() ? nullptr : &array_argument(weights, "distances", "weights");
  return to_python(computing(a.size(), [&] { return array::distances(how, a, b, w); }), package::dpnp);
}

}  // namespace

void bind_dpnp_filters(nb::module_ &m) {
  m.def("extended", extend, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def extended(x: ndarray, before: tuple[int, ...], after: tuple[int, ...], mode: str, number: float, "
                "dtype: object, /) -> ndarray"),
        "Return a copy with elements added before and behind each axis.");
  m.def("filtered", filter, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def filtered(x: ndarray, kind: str, window: list[int], before: list[int], mode: str, number: float, "
                "taps: list[int], weights: list[float], opposites: list[int], subtract: bool, rank: int, /) "
                "-> ndarray"),
        "Return sums, extremes or elements of a rank of the elements in the window at each position.");
  m.def("distances", distances, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
        nb::sig("def distances(kind: str, x: ndarray, y: ndarray | None, weights: ndarray | None, /) -> ndarray"),
        "Return sums over the components of all pairs of rows, or of the pairs of rows of one array.");
}

}  // namespace dpep::python
