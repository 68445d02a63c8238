// A user's pybind11 extension that uses arrays: kernels, inspection, and conversion from other objects.
#include <dpctl4pybind11.hpp>
#include <pybind11/stl.h>
#include <sycl/sycl.hpp>

namespace py = pybind11;
using dpctl::tensor::usm_ndarray;

namespace {

std::pair<sycl::event, sycl::event> scale(usm_ndarray x, double factor, const std::vector<sycl::event> &depends) {
  if (!x.is_c_contiguous() || !x.is_writable() || x.get_typenum() != UAR_DOUBLE)
    throw py::value_error("scale: expected a writable, C-contiguous array of float64");
  sycl::queue q = x.get_queue();
  auto *data = x.get_data<double>();
  sycl::event done = q.submit([&](sycl::handler &h) {
    h.depends_on(depends);
    h.parallel_for(sycl::range<1>(x.get_size()), [=](sycl::id<1> i) { data[i] *= factor; });
  });
  return {dpctl::utils::keep_args_alive(q, {x}, {done}), done};
}

/// Sum of the elements, computed on the host by their strides. Requires host-accessible memory.
double sum(const usm_ndarray &x) {
  double total = 0;
  const auto shape = x.get_shape_vector(), strides = x.get_strides_vector();
  std::vector<py::ssize_t> at(shape.size());
  for (py::ssize_t left = x.get_size(); left > 0; --left) {
    py::ssize_t distance = 0;
    for (std::size_t i = 0; i < at.size(); ++i) distance += at[i] * strides[i];
    total += *reinterpret_cast<double *>(x.get_data(distance));
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < shape[i]) break;
      at[i] = 0;
    }
  }
  return total;
}

py::dict describe(const usm_ndarray &x) {
  py::dict d;
  d["ndim"] = x.get_ndim();
  d["shape"] = x.get_shape_vector();
  d["strides"] = x.get_strides_vector();
  d["size"] = x.get_size();
  d["offsets"] = x.get_minmax_offsets();
  d["queue"] = x.get_queue();
  d["device"] = x.get_device();
  d["typenum"] = x.get_typenum();
  d["elemsize"] = x.get_elemsize();
  d["flags"] = x.get_flags();
  d["f_contiguous"] = x.is_f_contiguous();
  d["offset"] = x.get_offset();
  d["pointer"] = reinterpret_cast<std::uintptr_t>(x.get_data());
  d["usm_data"] = x.get_usm_data();
  return d;
}

}  // namespace

PYBIND11_MODULE(array_extension, m) {
  m.def("scale", scale, py::arg("x"), py::arg("factor"), py::arg("depends") = std::vector<sycl::event>());
  m.def("sum", sum);
  m.def("describe", describe);
  m.def("owners",
        [](const usm_ndarray &x) { return x.is_managed_by_smart_ptr() ? x.get_smart_ptr_owner().use_count() : 0; });
  m.def("from_object", [](const py::object &o) { return usm_ndarray(o); });
  m.def("empty", [] { return usm_ndarray(); });
}
