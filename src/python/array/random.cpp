// The generator behind dpnp.random.
#include <dpep/array_random.hpp>

#include "functions.hpp"

namespace dpep::python {
namespace {

using array::random_generator;

double number_argument(nb::handle x, const char *function, const char *argument) {
  const double value = PyFloat_AsDouble(x.ptr());
  if (value != -1 || !PyErr_Occurred()) return value;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
  PyErr_Clear();
  throw type_error(std::string(function) + ": " + argument + " must be a number, got " + type_of(x));
}

extents_argument size_argument(nb::handle size, const char *function) {
  return size.is_none() ? extents_argument() : shape_from(size, function, "size");
}

nb::object uniform(random_generator &g, const char *function, nb::handle size, nb::handle low, nb::handle high,
                   nb::handle device, nb::handle kind, nb::handle queue) {
  const double from = number_argument(low, function, "low"), to = number_argument(high, function, "high");
  return to_python(g.uniform(size_argument(size, function), from, to, placement_from(device, kind, queue)),
                   package::dpnp);
}

nb::object normal(random_generator &g, const char *function, nb::handle size, nb::handle loc, nb::handle scale,
                  nb::handle device, nb::handle kind, nb::handle queue) {
  const double mean = number_argument(loc, function, "loc"), deviation = number_argument(scale, function, "scale");
  return to_python(g.normal(size_argument(size, function), mean, deviation, placement_from(device, kind, queue)),
                   package::dpnp);
}

nb::object integers(random_generator &g, nb::handle size, nb::int_ least, std::uint64_t count, nb::handle type,
                    nb::handle device, nb::handle kind, nb::handle queue) {
  const std::int64_t first = PyLong_AsLongLong(least.ptr());
  if (first == -1 && PyErr_Occurred()) throw nb::python_error();
  const extents_argument shape = size_argument(size, "randint");
  return to_python(g.integers(shape, first, count, dtype_from(type), placement_from(device, kind, queue)),
                   package::dpnp);
}

}  // namespace

void bind_random(nb::module_ &m) {
#define DPEP_SIZE "size: int | tuple[int, ...] | None"
#define DPEP_RANDOM_PLACE "device: object, usm_type: str | None, sycl_queue: dpctl.SyclQueue | None) -> object"
  nb::class_<random_generator>(m, "RandomGenerator",
                               "A generator of random numbers: Philox4x32-10. `function` names the caller in errors.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("seed", &random_generator::seed, "seed"_a, "Restart the sequence with another seed.")
      .def("uniform", uniform, "function"_a, "size"_a.none(), "low"_a.none(), "high"_a.none(), "device"_a.none(),
           "usm_type"_a.none(), "sycl_queue"_a.none(),
           nb::sig("def uniform(self, function: str, " DPEP_SIZE ", low: float, high: float, " DPEP_RANDOM_PLACE),
           "Return uniformly distributed numbers in [low, high).")
      .def("normal", normal, "function"_a, "size"_a.none(), "loc"_a.none(), "scale"_a.none(), "device"_a.none(),
           "usm_type"_a.none(), "sycl_queue"_a.none(),
           nb::sig("def normal(self, function: str, " DPEP_SIZE ", loc: float, scale: float, " DPEP_RANDOM_PLACE),
           "Return normally distributed numbers.")
      .def("integers", integers, "size"_a.none(), "least"_a, "count"_a, "dtype"_a.none(), "device"_a.none(),
           "usm_type"_a.none(), "sycl_queue"_a.none(),
           nb::sig("def integers(self, " DPEP_SIZE ", least: int, count: int, dtype: object, " DPEP_RANDOM_PLACE),
           "Return integers that are uniformly distributed over the `count` integers from `least` on.");
}

}  // namespace dpep::python
