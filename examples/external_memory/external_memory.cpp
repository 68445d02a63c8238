// The Python module `external_memory`: USM memory that C++ allocates and owns, handed to Python without copies.
//
// A matrix belongs to a C++ class. Python sees it as dpctl.memory, and as an array over that; the memory lives as long
// as one of them does.
#include <memory>
#include <stdexcept>

#include <dpctl4pybind11.hpp>
#include <pybind11/pybind11.h>

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

int live_matrices = 0;  // read by tests: memory that nobody uses is freed

/// A square matrix in memory of its own, on a device.
class matrix {
public:
  matrix(const sycl::queue &q, std::size_t n)
      : queue_(q), n_(n), elements_(sycl::malloc_device<double>(n * n, q), [q](double *p) {
          sycl::free(p, q);
          --live_matrices;
        }) {
    if (!elements_) throw std::bad_alloc();
    ++live_matrices;
    double *const a = elements_.get();
    queue_.parallel_for(sycl::range<2>(n, n), [=](sycl::id<2> i) { a[i[0] * n + i[1]] = i[0] == i[1] ? 1 : 0; }).wait();
  }
  void scale(double factor) {
    double *const a = elements_.get();
    queue_.parallel_for(sycl::range<1>(n_ * n_), [=](sycl::id<1> i) { a[i] *= factor; }).wait();
  }
  std::size_t size() const { return n_; }

  /// The memory as an object of dpctl.memory, which shares the ownership.
  dpctl::memory::usm_memory memory() const {
    return {elements_.get(), n_ * n_ * sizeof(double), queue_, std::shared_ptr<void>(elements_)};
  }
  /// An array over it.
  py::object array() const {
    const py::object make = py::module_::import("dpctl.tensor").attr("usm_ndarray");
    return make(py::make_tuple(n_, n_), "dtype"_a = "f8", "buffer"_a = memory());
  }

private:
  sycl::queue queue_;
  std::size_t n_;
  std::shared_ptr<double> elements_;
};

}  // namespace

PYBIND11_MODULE(external_memory, m) {
  py::class_<matrix>(m, "Matrix", "The unit matrix, in memory that C++ owns.")
      .def(py::init<const sycl::queue &, std::size_t>(), "queue"_a, "n"_a)
      .def("scale", &matrix::scale, "factor"_a, "Multiply all elements.")
      .def_property_readonly("size", &matrix::size, "The number of rows.")
      .def_property_readonly("memory", &matrix::memory, "The memory, without a copy.")
      .def_property_readonly("array", &matrix::array, "The elements as an array, without a copy.");
  m.def("live_matrices", [] { return live_matrices; }, "Return the number of matrices whose memory is in use.");
}
