// Convolutions, interpolation, partitions and sorting by several keys, as parts of dpnp's functions in Python.
#include <dpep/array_signals.hpp>
#include <dpep/array_sorting.hpp>

#include "choices.hpp"
#include "functions.hpp"

namespace dpep::python {
namespace {

template <ndarray (&function)(const ndarray &, const ndarray &, const array::convolution_options &)>
nb::object convolution(const char *name, nb::handle a, nb::handle v, nb::handle mode, nb::handle method) {
  constexpr const char *modes[] = {"full", "same", "valid"}, *methods[] = {"auto", "direct", "fft"};
  check_array(name, a);
  check_array(name, v);
  const ndarray &x = array_of(a.ptr()), &y = array_of(v.ptr());
  const array::convolution_options options{choice<array::convolution_part>(mode, modes, name, "mode"),
                                           choice<array::convolution_method>(method, methods, name, "method")};
  return to_python(computing(x.size() + y.size(), [&] { return function(x, y, options); }), package::dpnp);
}

nb::object interpolate(nb::handle x, nb::handle xp, nb::handle fp, nb::handle left, nb::handle right) {
  const ndarray &a = array_argument(x, "interp", "x"), &points = array_argument(xp, "interp", "xp"),
                &values = array_argument(fp, "interp", "fp");
  const auto number = [](nb::handle z, const char *argument) -> std::optional<std::complex<double>> {
    if (z.is_none()) return {};
    const array::scalar given = scalar_argument(z, "interp", argument);
    const bool is_integer = given.what == array::scalar::kind::boolean || given.what == array::scalar::kind::integer;
    return is_integer ? static_cast<double>(given.integer) : given.number;
  };
  const array::interpolation_options options{number(left, "left"), number(right, "right")};
  return to_python(computing(a.size(), [&] { return array::interpolate(a, points, values, options); }), package::dpnp);
}

template <ndarray (&function)(const ndarray &, std::span<const std::int64_t>, int)>
nb::object partition(nb::handle x, const std::vector<std::int64_t> &ranks, int axis) {
  const ndarray &a = array_argument(x, "partition", "a");
  return to_python(computing(a.size(), [&] { return function(a, ranks, axis); }), package::dpnp);
}

nb::object lexsort(const nb::sequence &keys, nb::handle axis) {
  std::vector<ndarray> arrays;
  std::int64_t elements = 0;
  for (nb::handle key : keys) {
    check_array("lexsort", key);
    arrays.push_back(array_of(key.ptr()));
    elements += arrays.back().size();
  }
  const int along =
      arrays.empty() || arrays[0].dimensions() == 0 ? 0 : axis_from(axis, arrays[0].dimensions(), "lexsort");
  return to_python(computing(elements, [&] { return array::lexsort(arrays, along); }), package::dpnp);
}

}  // namespace

void bind_dpnp_signals(nb::module_ &m) {
  m.def(
      "convolutions",
      [](nb::handle a, nb::handle v, nb::handle mode, nb::handle method) {
        return convolution<array::convolve>("convolve", a, v, mode, method);
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(),
      nb::sig("def convolutions(a: ndarray, v: ndarray, mode: str, method: str, /) -> ndarray"),
      "Return the convolution of arrays with one axis.");
  m.def(
      "correlations",
      [](nb::handle a, nb::handle v, nb::handle mode, nb::handle method) {
        return convolution<array::correlate>("correlate", a, v, mode, method);
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(),
      nb::sig("def correlations(a: ndarray, v: ndarray, mode: str, method: str, /) -> ndarray"),
      "Return the cross-correlation of arrays with one axis.");
  m.def("interpolate", interpolate, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
        nb::sig("def interpolate(x: ndarray, xp: ndarray, fp: ndarray, left: complex | None, right: complex | None, /) "
                "-> ndarray"),
        "Return the values at `x` of the function that is linear between points.");
  m.def("partitioned", partition<array::partition>, nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def partitioned(a: ndarray, ranks: list[int], axis: int, /) -> ndarray"),
        "Return the elements along an axis with those of the given ranks where a sort puts them.");
  m.def("partitioned_positions", partition<array::argpartition>, nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def partitioned_positions(a: ndarray, ranks: list[int], axis: int, /) -> ndarray"),
        "Return the positions of the elements in the order of `partitioned`.");
  m.def("positions_by_keys", lexsort, nb::arg(), nb::arg(),
        nb::sig("def positions_by_keys(keys: list[ndarray], axis: int, /) -> ndarray"),
        "Return the positions of elements in the order of several keys, of which the last is compared first.");
}

}  // namespace dpep::python
