// The Python exceptions of dpctl, and their mapping from dpep::exception.
#pragma once

#include <type_traits>

#include <nanobind/nanobind.h>

#include <dpep/exception.hpp>

namespace dpep::python {

/// The kinds of objects whose creation errors are Python exception types of dpctl.
enum class creation { device, sub_device, context, queue, event, allocation };

/// Throws the Python creation error with a message.
[[noreturn]] void raise_creation_error(creation, const std::string &message);

/// Throws SyclKernelSubmitError.
[[noreturn]] void raise_submit_error(const std::string &message);
/// Throws SyclProgramCompilationError.
[[noreturn]] void raise_compilation_error(const std::string &message);

/// Sets the Python error for the exception being handled. For functions that Python calls directly.
void set_current_exception() noexcept;

/// Runs a function that Python calls directly. When it throws, sets the Python error and returns null or -1.
template <class F> auto guarded(F &&f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    set_current_exception();
    if constexpr (std::is_pointer_v<decltype(f())>)
      return nullptr;
    else
      return -1;
  }
}

/// Runs a function and turns an exception of the runtime into the creation error.
template <class F> decltype(auto) creating(creation what, F &&f) {
  try {
    return f();
  } catch (const exception &e) {
    raise_creation_error(what, e.what());
  }
}

}  // namespace dpep::python
