// The GIL, for threads that may outlive the interpreter.
//
// When the interpreter ends, Python ends every other thread that takes the GIL, by unwinding its stack. C++ functions
// that are noexcept, or that catch all exceptions, would abort the process instead. Threads that unwind to one wait for
// the end of the process.
#pragma once

#include <unistd.h>

#include <cxxabi.h>

#include <nanobind/nanobind.h>

namespace dpep::python {

[[noreturn]] inline void wait_for_exit() noexcept {
  while (true) pause();
}

/// Calls a function that takes the GIL.
template <class F> auto taking_gil(F &&f) noexcept {
  try {
    return f();
  } catch (abi::__forced_unwind &) {
    wait_for_exit();
  }
}

/// Makes std::terminate wait in threads that Python ends. For functions between Python code and its callers in Python,
/// such as nanobind's.
void wait_in_ended_threads() noexcept;

/// While it exists, other threads may run Python code.
class gil_release {
public:
  gil_release() noexcept : state_(PyEval_SaveThread()) {}
  gil_release(const gil_release &) = delete;
  gil_release &operator=(const gil_release &) = delete;
  ~gil_release() {
    taking_gil([&] { PyEval_RestoreThread(state_); });
  }

private:
  PyThreadState *state_;
};

/// While it exists, this thread may use Python.
class gil_acquire {
public:
  gil_acquire() noexcept : state_(taking_gil([] { return PyGILState_Ensure(); })) {}
  gil_acquire(const gil_acquire &) = delete;
  gil_acquire &operator=(const gil_acquire &) = delete;
  ~gil_acquire() { PyGILState_Release(state_); }

private:
  PyGILState_STATE state_;
};

}  // namespace dpep::python
