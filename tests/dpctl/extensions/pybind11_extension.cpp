// A user's pybind11 extension that uses dpctl: queues, events and memory as arguments and results, and a kernel.
#include <stdexcept>

#include <dpctl4pybind11.hpp>
#include <pybind11/stl.h>
#include <sycl/sycl.hpp>

namespace py = pybind11;
using dpctl::memory::usm_memory;
using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

namespace {

std::pair<sycl::event, sycl::event> scale(sycl::queue q, usm_memory memory, double factor,
                                          const std::vector<sycl::event> &depends) {
  if (!dpctl::utils::queues_are_compatible(q, {memory.get_queue()}))
    throw py::value_error("scale: the memory is of another queue");
  auto *x = reinterpret_cast<double *>(memory.get_pointer());
  const std::size_t n = memory.get_nbytes() / sizeof(double);
  sycl::event done = q.submit([&](sycl::handler &h) {
    h.depends_on(depends);
    h.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { x[i] *= factor; });
  });
  return {dpctl::utils::keep_args_alive(q, {memory}, {done}), done};
}

usm_memory owned(sycl::queue q, std::size_t bytes) {
  void *p = sycl::malloc_shared(bytes, q);
  q.memset(p, 42, bytes).wait();
  return usm_memory(p, bytes, q, {p, [q](void *p) { sycl::free(p, q); }});
}

}  // namespace

PYBIND11_MODULE(pybind11_extension, m) {
  m.def("scale", scale, py::arg("queue"), py::arg("memory"), py::arg("factor"),
        py::arg("depends") = std::vector<sycl::event>());
  m.def("owned", owned);
  m.def("same_queue", [](sycl::queue &q) { return q; });
  m.def("device_of", [](const sycl::queue &q) { return q.get_device(); });
  m.def("context_of", [](const sycl::queue &q) { return q.get_context(); });
  m.def("name_of", [](const sycl::device &d) { return d.get_info<sycl::info::device::name>(); });
  m.def("devices_in", [](const sycl::context &c) { return c.get_devices(); });
  m.def("bytes_of", [](const py::object &o) { return usm_memory(o).get_nbytes(); });
  m.def("fail", [](sycl::queue &q) {
    q.submit([](sycl::handler &h) { h.host_task([] { throw std::runtime_error("the host task failed"); }); });
  });
  m.def("fail_as_sycl", [](sycl::queue &q) {
    q.submit([](sycl::handler &h) {
      h.host_task([] { throw sycl::exception(sycl::make_error_code(sycl::errc::kernel), "the kernel failed"); });
    });
  });
  m.def("empty_memory", [] { return usm_memory(); });
  m.def("arguments_of", [](const sycl::kernel &k) { return k.get_info<sycl::info::kernel::num_args>(); });
  m.def("kernel_of", [](const executable_bundle &b, const std::string &name) { return b.ext_oneapi_get_kernel(name); });
  m.def("same_program", [](const executable_bundle &b) { return b; });
  m.def("launch", [](sycl::queue &q, const sycl::kernel &k, const usm_memory &from, const usm_memory &to, float scale) {
    q.submit([&](sycl::handler &h) {
       h.set_args(from.get_pointer(), to.get_pointer(), scale);
       h.parallel_for(sycl::range<1>(to.get_nbytes() / sizeof(float)), k);
     }).wait();
  });
}
