// The buffer of a Python object with the buffer protocol, locked during its use.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <nanobind/nanobind.h>

#include "keep_alive.hpp"

namespace dpep::python {

class host_bytes {
public:
  /// Throws the object's Python error when it is not contiguous, or read-only and `writable` is true.
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
  /// Moves the lock to an owner, which a task holds until it is complete.
  std::shared_ptr<void> hold() && {
    auto held = python::hold(view_);
    view_ = {};
    return held;
  }

private:
  Py_buffer view_{};
};

}  // namespace dpep::python
