// The bytes of a Python object with the buffer protocol, locked while they are used.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <nanobind/nanobind.h>

#include "keep_alive.hpp"

namespace dpep::python {

class host_bytes {
public:
  /// Raises what the object raises when it is not contiguous, or read-only where it must be written.
  host_bytes(nanobind::handle object, bool writable) {
    if (PyObject_GetBuffer(object.ptr(), &view_,
                           writable ? PyBUF_ANY_CONTIGUOUS | PyBUF_WRITABLE : PyBUF_ANY_CONTIGUOUS))
      throw nanobind::python_error();
  }
  host_bytes(host_bytes &&other) noexcept : view_(std::exchange(other.view_, {})) {}
  ~host_bytes() {
    if (view_.obj) PyBuffer_Release(&view_);
  }

  void *data() const noexcept { return view_.buf; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(view_.len); }
  /// Hands the lock to a task, which keeps it until it is complete.
  std::shared_ptr<void> hold() && {
    auto held = python::hold(view_);
    view_ = {};
    return held;
  }

private:
  Py_buffer view_{};
};

}  // namespace dpep::python
