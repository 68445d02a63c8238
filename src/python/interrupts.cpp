// What Python says of Ctrl-C: whether its main thread was interrupted, and what that raises.
#include "bindings.hpp"

#include <csignal>

#include <dlfcn.h>

namespace dpep::python {
namespace {

PyObject *get_signal = nullptr, *default_handler = nullptr;

void check() {
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// Only where Python's own handler raises KeyboardInterrupt: another one may want the kernel to go on, and is not to be
/// called in the middle of it.
bool ends_kernels() noexcept {
  if (!Py_IsInitialized()) return false;
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject *const number = PyLong_FromLong(SIGINT);
  PyObject *const handler = number ? PyObject_CallOneArg(get_signal, number) : nullptr;
  bool ends = handler == default_handler;
  Py_XDECREF(handler);
  Py_XDECREF(number);
  ends = ends && PyErr_CheckSignals() != 0;
  PyErr_Clear();
  if (ends) PyErr_SetInterrupt();  // raised again when the kernel's caller returns
  PyGILState_Release(before);
  return ends;
}

bool owns(const void *handler) noexcept {
  Dl_info its{}, python{};
  return dladdr(handler, &its) && dladdr(reinterpret_cast<const void *>(&PyErr_CheckSignals), &python) &&
         its.dli_fbase == python.dli_fbase;
}

}  // namespace

void bind_interrupts() {
  const nb::module_ signal = nb::module_::import_("_signal");
  get_signal = nb::object(signal.attr("getsignal")).release().ptr();
  default_handler = nb::object(signal.attr("default_int_handler")).release().ptr();
  interrupts::set_interpreter_hooks({check, ends_kernels, owns});
  interrupts::install_handler();
}

}  // namespace dpep::python
