// The module dpep._core with the public types of the runtime, bound in the order of their dependencies.
#include "bindings.hpp"
#include "keep_alive.hpp"

NB_MODULE(_core, m) {
  using namespace dpep::python;
  wait_in_ended_threads();
  nb::set_leak_warnings(false);  // events may hold objects after the interpreter's finalization
  m.doc() = "Bindings of libdpep. Import them through dpctl and dpep.";
  m.attr("__version__") = DPEP_VERSION;
  bind_enums(m);
  bind_errors(m);
  bind_platform(m);
  bind_device(m);
  bind_selectors(m);
  bind_context(m);
  bind_event(m);
  bind_queue(m);
  bind_memory(m);
  bind_order_manager(m);
  bind_program(m);
  bind_kernel_arguments(m);
  bind_submit(m);
  bind_doctor(m);
  bind_c_interface(m);
  bind_interrupts();
  bind_progress(m);
  m.def("_bind_arrays", bind_arrays, "module"_a, "Fill the module dpep._array at its import.");
  m.def("_bind_kernels", bind_kernels, "module"_a, "Fill the module dpep._kernel at its import.");
  m.def("release_finished", &release_finished,
        "Release the Python objects that complete tasks held.\n\n"
        "Submissions and waits do this, too; call it to free memory without them.\n\n"
        "Returns\n-------\nint\n    The number of tasks whose objects were released.");
  bind_attribute_signatures(m);
  bind_signatures(m);
}
