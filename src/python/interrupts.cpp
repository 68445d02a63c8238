// The Python interpreter's hooks for Ctrl-C: pending signals, and whether they stop kernels.
#include "bindings.hpp"

#include <csignal>

#include <dlfcn.h>

namespace dpep::python {
namespace {

PyObject *get_signal = nullptr, *default_handler = nullptr;

void check() {
  const gil_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// Whether Ctrl-C stops running kernels: only if Python's default handler raises KeyboardInterrupt. A handler of the
/// program may let the kernel continue, and must not be called during it.
bool stops_kernels() noexcept {
  if (!Py_IsInitialized()) return false;
  const PyGILState_STATE before = PyGILState_Ensure();
  PyObject *const number = PyLong_FromLong(SIGINT);
  PyObject *const handler = number ? PyObject_CallOneArg(get_signal, number) : nullptr;
  bool stops = handler == default_handler;
  Py_XDECREF(handler);
  Py_XDECREF(number);
  stops = stops && PyErr_CheckSignals() != 0;
  PyErr_Clear();
  if (stops) PyErr_SetInterrupt();  // raised again when the kernel's caller returns
  PyGILState_Release(before);
  return stops;
}

/// Whether a signal handler is part of the Python interpreter.
bool owns(const void *handler) noexcept {
  Dl_info library{}, python{};
  return dladdr(handler, &library) && dladdr(reinterpret_cast<const void *>(&PyErr_CheckSignals), &python) &&
         library.dli_fbase == python.dli_fbase;
}

}  // namespace

void bind_interrupts() {
  const nb::module_ signal = nb::module_::import_("_signal");
  get_signal = nb::object(signal.attr("getsignal")).release().ptr();
  default_handler = nb::object(signal.attr("default_int_handler")).release().ptr();
  interrupts::set_interpreter_hooks({check, stops_kernels, owns});
  interrupts::install_handler();
}

}  // namespace dpep::python
