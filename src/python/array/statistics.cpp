// Medians and quantiles, as parts of dpnp's functions in Python.
#include <dpep/array_statistics.hpp>

#include <algorithm>

#include "functions.hpp"

namespace dpep::python {
namespace {

constexpr const char *methods[] = {"inverted_cdf",
                                   "averaged_inverted_cdf",
                                   "closest_observation",
                                   "interpolated_inverted_cdf",
                                   "hazen",
                                   "weibull",
                                   "linear",
                                   "median_unbiased",
                                   "normal_unbiased",
                                   "lower",
                                   "higher",
                                   "midpoint",
                                   "nearest"};

array::quantile_method method_from(nb::handle x, const char *function) {
  const std::string name = nb::isinstance<nb::str>(x) ? text_of(x) : std::string();
  const auto *const found = std::ranges::find(methods, name);
  if (found != std::end(methods)) return static_cast<array::quantile_method>(found - methods);
  std::string known;
  for (const char *m : methods) known += (known.empty() ? "'" : ", '") + std::string(m) + "'";
  throw value_error(std::string(function) + ": " + text_of(nb::repr(x)) + " is not a valid method; expected one of " +
                    known);
}

array::statistic_options options_from(const char *function, const ndarray &a, nb::handle axis, bool keepdims,
                                      bool ignore_nan) {
  return {function, axes_from(axis, a.dimensions(), function), keepdims, ignore_nan};
}

nb::object quantiles(const char *function, nb::handle x, const std::vector<double> &q, nb::handle type, nb::handle axis,
                     nb::handle method, bool keepdims, bool ignore_nan) {
  const ndarray &a = array_argument(x, function, "a");
  const array::probabilities wanted{q, optional_dtype(type)};
  const array::quantile_method how = method_from(method, function);
  const array::statistic_options options = options_from(function, a, axis, keepdims, ignore_nan);
  return to_python(computing(a.size(), [&] { return array::quantile(a, wanted, how, options); }), package::dpnp);
}

nb::object medians(const char *function, nb::handle x, nb::handle axis, bool keepdims, bool ignore_nan) {
  const ndarray &a = array_argument(x, function, "a");
  const array::statistic_options options = options_from(function, a, axis, keepdims, ignore_nan);
  return to_python(computing(a.size(), [&] { return array::median(a, options); }), package::dpnp);
}

}  // namespace

void bind_dpnp_statistics(nb::module_ &m) {
  m.def(
      "quantiles", quantiles, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
      nb::arg(),
      nb::sig("def quantiles(function: str, a: ndarray, q: list[float], dtype: object, "
              "axis: int | tuple[int, ...] | None, method: str, keepdims: bool, ignore_nan: bool, /) -> ndarray"),
      "Return quantiles over axes, with an axis for `q` before the others. `dtype` is that of the probabilities `q`,\n"
      "or None for a number, whose dtype gives way to that of `a`. `function` is named in errors.");
  m.def("medians", medians, nb::arg(), nb::arg(), nb::arg().none(), nb::arg(), nb::arg(),
        nb::sig("def medians(function: str, a: ndarray, axis: int | tuple[int, ...] | None, keepdims: bool, "
                "ignore_nan: bool, /) -> ndarray"),
        "Return medians over axes. `function` is named in errors.");
}

}  // namespace dpep::python
