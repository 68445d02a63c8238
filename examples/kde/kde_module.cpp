// The Python module `kde_sycl`: the kernels of kde_kernels.hpp for dpctl queues and USM memory.
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <dpctl4pybind11.hpp>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "kde_kernels.hpp"

namespace py = pybind11;
using dpctl::memory::usm_memory;

namespace {

enum class method { atomics, group_reduction };

/// Calls `f` with `d` as a compile-time constant, so that kernels keep a sample's coordinates in registers.
template <class F> sycl::event with_constant(std::size_t d, F f) {
  constexpr int largest = 8;
  sycl::event done;
  const bool found = [&]<int... D>(std::integer_sequence<int, D...>) {
    return ((d == D + 1 && (done = f(std::integral_constant<int, D + 1>()), true)) || ...);
  }(std::make_integer_sequence<int, largest>());
  if (!found)
    throw std::invalid_argument("kde: " + std::to_string(d) + " dimensions; this example is compiled for 1 to " +
                                std::to_string(largest));
  return done;
}

template <class T>
void estimate(sycl::queue q, usm_memory samples, usm_memory points, usm_memory density, std::size_t d, double h,
              method how) {
  if (d == 0 || h <= 0) throw std::invalid_argument("kde: dimensions and bandwidth must be positive");
  if (!dpctl::utils::queues_are_compatible(q, {samples.get_queue(), points.get_queue(), density.get_queue()}))
    throw std::invalid_argument("kde: samples, points and density must be memory of the queue's context");
  const std::size_t row = d * sizeof(T);
  const std::size_t n = samples.get_nbytes() / row, m = points.get_nbytes() / row;
  if (samples.get_nbytes() != n * row || points.get_nbytes() != m * row || density.get_nbytes() != m * sizeof(T))
    throw std::invalid_argument("kde: for " + std::to_string(d) +
                                " dimensions, samples and points must be whole rows of " + std::to_string(row) +
                                " bytes, and density " + std::to_string(m) + " numbers of " +
                                std::to_string(sizeof(T)) + " bytes");
  const double normalisation = std::pow(2 * M_PI * h * h, -0.5 * double(d)) / double(n);
  const kde::problem<T> p{reinterpret_cast<const T *>(samples.get_pointer()),
                          reinterpret_cast<const T *>(points.get_pointer()),
                          reinterpret_cast<T *>(density.get_pointer()),
                          n,
                          m,
                          T(-0.5 / (h * h)),
                          T(normalisation)};
  py::gil_scoped_release unlocked;
  const sycl::event zeroed = q.fill(p.density, T(0), m);
  with_constant(d, [&](auto D) {
    return how == method::atomics ? kde::with_atomics<D.value>(q, p, {zeroed})
                                  : kde::with_group_reduction<D.value>(q, p, {zeroed});
  }).wait_and_throw();
}

}  // namespace

PYBIND11_MODULE(kde_sycl, module) {
  module.doc() = "Gaussian kernel density estimation with SYCL kernels.";
  py::enum_<method>(module, "Method")
      .value("ATOMICS", method::atomics)
      .value("GROUP_REDUCTION", method::group_reduction);
  const char *doc =
      "Estimate the density of n samples at m points: USM memory of n*d, m*d and m numbers, bandwidth h > 0.";
  const auto define = [&]<class T>(const char *name, T) {
    module.def(name, &estimate<T>, doc, py::arg("queue"), py::arg("samples"), py::arg("points"), py::arg("density"),
               py::arg("dimensions"), py::arg("bandwidth"), py::arg("method"));
  };
  define("estimate_float32", float());
  define("estimate_float64", double());
}
