// Counts of elements in bins: bincount, and the parts of dpnp's histograms.
#include <dpep/array_histograms.hpp>

#include "functions.hpp"

namespace dpep::python {
namespace {

constexpr const char *bincount_doc =
    R"(Return the number of elements that are equal to 0, 1, 2, and so on.

Parameters
----------
x : ndarray or usm_ndarray
    Integers that are not negative, in an array with one axis.
weights : ndarray or usm_ndarray, optional
    Real numbers in the shape of `x`, which are added instead.
minlength : int, optional
    The least number of elements of the result.

Returns
-------
ndarray
    Counts, of int64, or sums of weights, of the default floating-point dtype; one more than the greatest element of `x`,
    and at least `minlength`. Sums do not depend on the number of threads.

Raises
------
TypeError
    When `x` or `weights` is not an array, and when `x` is not of integers.
ValueError
    For negative elements, an array with several axes, weights of another shape or complex ones, and a negative
    `minlength`.

Examples
--------
>>> import dpnp as np
>>> np.bincount(np.array([0, 2, 2, 5]))
array([1, 0, 2, 0, 0, 1])
)";

/// The array of an argument; null for None.
const ndarray *optional_weights(nb::handle x, const char *function) {
  if (x.is_none()) return nullptr;
  check_array(function, x);
  return &array_of(x.ptr());
}

nb::object bincount(nb::handle x, nb::handle weights, nb::handle minlength) {
  check_array("bincount", x);
  const ndarray &a = array_of(x.ptr());
  const ndarray *const w = optional_weights(weights, "bincount");
  if (minlength.is_none()) throw type_error("bincount: use 0 instead of None for minlength");
  if (!PyIndex_Check(minlength.ptr()))
    throw type_error("bincount: minlength must be an int, got " + type_of(minlength));
  const Py_ssize_t length = PyNumber_AsSsize_t(minlength.ptr(), PyExc_OverflowError);
  if (length == -1 && PyErr_Occurred()) throw nb::python_error();
  return to_python(computing(a.size(), [&] { return array::bincount(a, w, length); }), package::dpnp);
}

nb::object equal_edges(nb::handle x, Py_ssize_t bins, nb::handle range) {
  const ndarray &a = array_argument(x, "histogram", "a");
  std::optional<std::pair<array::scalar, array::scalar>> bounds;
  if (!range.is_none())
    bounds.emplace(scalar_argument(range[0], "histogram", "range"), scalar_argument(range[1], "histogram", "range"));
  return to_python(computing(a.size(), [&] { return array::equal_edges(a, bins, bounds); }), package::dpnp);
}

nb::object count_in_bins(const nb::sequence &coordinates, const nb::sequence &edges, nb::handle weights) {
  std::vector<ndarray> points, bounds;
  for (nb::handle x : coordinates) points.push_back(array_argument(x, "histogram", "sample"));
  for (nb::handle x : edges) bounds.push_back(array_argument(x, "histogram", "bins"));
  const ndarray *const w = optional_array(weights, "histogram", "weights");
  const std::int64_t size = points.empty() ? 0 : points[0].size();
  return to_python(computing(size, [&] { return array::histogram(points, bounds, w); }), package::dpnp);
}

}  // namespace

void bind_dpnp_histograms(nb::module_ &m) {
  m.def("bincount", bincount, nb::arg("x"), nb::arg("weights") = nb::none(), nb::arg("minlength").none() = 0,
        nb::sig("def bincount(x: ndarray, weights: ndarray | None = None, minlength: int = 0) -> ndarray"),
        bincount_doc);
  m.def("equal_edges", equal_edges, nb::arg(), nb::arg(), nb::arg().none(),
        nb::sig("def equal_edges(a: ndarray, bins: int, range: tuple[float, float] | None, /) -> ndarray"),
        "Return the edges of bins of equal width, from the first number of a range to the second. For None, the range "
        "is\n"
        "that of the elements. Raises ValueError for a range that decreases or is not finite.");
  m.def(
      "count_in_bins", count_in_bins, nb::arg(), nb::arg(), nb::arg().none(),
      nb::sig("def count_in_bins(sample: list[ndarray], edges: list[ndarray], weights: ndarray | None, /) -> ndarray"),
      "Return the number of points in each bin, or the sum of their weights: `sample` has an array for each\n"
      "coordinate, and `edges` the edges of its bins. Raises ValueError for edges that decrease.");
}

}  // namespace dpep::python
