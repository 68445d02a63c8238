// The Python exceptions of dpctl, and how dpep::exception becomes one of them.
#pragma once

#include <nanobind/nanobind.h>

#include <dpep/exception.hpp>

namespace dpep::python {

/// What a failing constructor raises, named as dpctl names it.
enum class creation { device, sub_device, context, queue, event, allocation };

/// Raises the creation error with a message; the caller returns to Python by this exception.
[[noreturn]] void raise_creation_error(creation, const std::string &message);

/// For functions that Python calls directly, in a handler: sets the Python error that stands for the exception.
void set_current_exception() noexcept;

/// Runs the function; an exception of the runtime becomes the creation error.
template <class F> auto creating(creation what, F &&f) {
  try {
    return f();
  } catch (const exception &e) {
    raise_creation_error(what, e.what());
  }
}

}  // namespace dpep::python
