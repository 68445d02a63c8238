// The module dpep._core: every public type of the runtime, bound in the order in which they refer to each other.
#include "bindings.hpp"
#include "keep_alive.hpp"

NB_MODULE(_core, m) {
  using namespace dpep::python;
  nb::set_leak_warnings(false);  // events may hold objects past the interpreter's end
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
  bind_doctor(m);
  bind_c_interface(m);
  bind_interrupts();
  bind_progress(m);
  m.def("_bind_arrays", bind_arrays, "module"_a, "Fill the module dpep._array, which does this when it is imported.");
  m.def("_bind_kernels", bind_kernels, "module"_a,
        "Fill the module dpep._kernel, which does this when it is imported.");
  m.def("release_finished", &release_finished,
        "Let go of the Python objects that completed tasks were holding.\n\n"
        "Every submission and every wait does this; call it to free memory without either.\n\n"
        "Returns\n-------\nint\n    How many objects were let go.");
  bind_signatures(m);
}
