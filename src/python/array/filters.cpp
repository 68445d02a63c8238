// Filters of windows, as parts of dpnp's functions in Python.
#include <dpep/array_filters.hpp>

#include "choices.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

constexpr const char *borders[] = {"reflect", "mirror", "nearest", "wrap", "constant", "none"};
constexpr const char *kinds[] = {"sum", "least", "greatest", "rank"};

nb::object extend(nb::handle x, nb::handle before, nb::handle after, nb::handle mode, double number, nb::handle type) {
  const ndarray &a = array_argument(x, "extend", "x");
  const extents_argument first = integers_from(before, "extend", "before"), last = integers_from(after, "extend", "after");
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
}

}  // namespace dpep::python
