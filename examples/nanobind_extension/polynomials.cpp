// The Python module `polynomials`: values of a polynomial at the elements of an array, in a nanobind module.
#include <dpctl4nanobind.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;
using dpctl::tensor::usm_ndarray;

namespace {

constexpr std::size_t most = 8;  // coefficients

/// y[i] = c[0] + c[1] x[i] + c[2] x[i]^2 + … Returns the events of the release of the arrays and of the kernel.
std::pair<sycl::event, sycl::event> evaluate(sycl::queue q, usm_ndarray x, usm_ndarray y,
                                             const std::vector<double> &coefficients,
                                             const std::vector<sycl::event> &depends) {
  for (const usm_ndarray *a : {&x, &y})
    if (a->get_typenum() != UAR_DOUBLE || !a->is_c_contiguous())
      throw nb::type_error("polynomials: expected C-contiguous arrays of float64");
  if (x.get_size() != y.get_size()) throw nb::value_error("polynomials: the arrays must have one size");
  if (!y.is_writable()) throw nb::value_error("polynomials: the result is read-only");
  if (coefficients.size() > most) throw nb::value_error("polynomials: at most 8 coefficients");
  if (!dpctl::utils::queues_are_compatible(q, {x.get_queue(), y.get_queue()}))
    throw nb::value_error("polynomials: the arrays must be on the queue");
  std::array<double, most> c{};
  std::copy(coefficients.begin(), coefficients.end(), c.begin());
  const double *const from = x.get_data<double>();
  double *const to = y.get_data<double>();
  const sycl::event done =
      q.parallel_for(sycl::range<1>(static_cast<std::size_t>(x.get_size())), depends, [=](sycl::id<1> i) {
        double sum = 0;
        for (std::size_t k = most; k-- > 0;) sum = sum * from[i] + c[k];
        to[i] = sum;
      });
  return {dpctl::utils::keep_args_alive(q, {x, y}, {done}), done};
}

std::string name_of(const sycl::device &d) { return d.get_info<sycl::info::device::name>(); }
sycl::queue in_order_queue(const sycl::context &c, const sycl::device &d) {
  return sycl::queue(c, d, sycl::property::queue::in_order());
}

}  // namespace

NB_MODULE(polynomials, m) {
  m.def("evaluate", evaluate, "exec_q"_a, "x"_a, "y"_a, "coefficients"_a, "depends"_a = std::vector<sycl::event>(),
        "Write the values of the polynomial at x to y. Return the events of the release of the arrays and of the "
        "kernel.");
  m.def("name_of", name_of, "device"_a, "Return the name of a device.");
  m.def("in_order_queue", in_order_queue, "context"_a, "device"_a, "Return a new queue.");
}
